import type { InputHTMLAttributes, LooseInputHTMLAttributes, Ref } from 'preact';

export interface FieldProps extends LooseInputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  /** Id of a datalist. */
  readonly list?: string;
  readonly inputRef?: Ref<HTMLInputElement>;
}

/** An input below its label, which browsers neither complete nor correct. */
export function Field({ label, inputRef, ...input }: FieldProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        ref={inputRef}
        autocomplete="off"
        spellcheck={false}
        maxLength={256}
        {...(input as InputHTMLAttributes)}
      />
    </label>
  );
}

interface SelectProps<Value extends string> {
  /** For screen readers. */
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onChange: (value: Value) => void;
}

/** A choice that is in force at once. */
export function Select<Value extends string>({ label, value, options, onChange }: SelectProps<Value>) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}
    >
      {options.map(([name, text]) => (
        <option key={name} value={name}>
          {text}
        </option>
      ))}
    </select>
  );
}
