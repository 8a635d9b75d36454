import { useState } from 'preact/hooks';
import { CallError, post } from '../api/client.ts';
import { toCallError } from '../api/use-call.ts';
import type { V2RunGetMethodResult, V2StackEntity, V2StackEntityInput } from '../api/v3.d.ts';
import { addressSlice, type Cell, readBoc } from '../cells/boc.ts';
import { CellReader } from '../cells/cell-reader.ts';
import { cellText } from '../cells/cell-text.ts';
import { Address } from '../show/address.tsx';
import { fromBase64, parseAddress, rawForm } from '../show/address-forms.ts';
import { ChainText } from '../show/chain-text.tsx';
import { exitCodeText } from '../show/exit-codes.ts';
import { Field, Select } from '../show/field.tsx';
import { formatNumber } from '../show/figures.ts';
import { CopyButton, shortened } from '../show/hash.tsx';
import { Badge, Facts, Panel } from '../show/panel.tsx';
import { type ArgumentKind, methodsOf, usualArguments } from './method-names.ts';
import type { AccountView } from './use-account.ts';
import './get-methods.css';

interface Argument {
  readonly id: number;
  readonly kind: ArgumentKind;
  readonly text: string;
}

const KINDS: Readonly<Record<ArgumentKind, string>> = {
  number: 'decimal or 0x…',
  address: 'in any form',
  cell: 'bag of cells, base64',
  slice: 'bag of cells, base64',
};

const KIND_OPTIONS = (Object.keys(KINDS) as ArgumentKind[]).map((kind) => [kind, kind] as const);

type Outcome = { readonly method: string } & (
  | { readonly result: V2RunGetMethodResult }
  | { readonly error: CallError }
  | { readonly isRunning: true }
);

let lastId = 0;
const newArgument = (kind: ArgumentKind): Argument => ({ id: ++lastId, kind, text: '' });

export function GetMethods({ account }: { readonly account: AccountView }) {
  const methods = methodsOf(account.methods ?? []);
  const [name, setName] = useState(methods[0]?.name ?? '');
  const [args, setArgs] = useState<readonly Argument[]>(() => usualArguments(name).map(newArgument));
  const [outcome, setOutcome] = useState<Outcome>();

  const choose = (chosen: string) => {
    setName(chosen);
    setArgs(usualArguments(chosen).map(newArgument));
  };
  const change = (id: number, part: Partial<Argument>) =>
    setArgs(args.map((one) => (one.id === id ? { ...one, ...part } : one)));
  const run = async (event: Event) => {
    event.preventDefault();
    const method = name.trim();
    setOutcome({ method, isRunning: true });
    try {
      const input = { address: account.address, method, stack: args.map(toStackInput) };
      setOutcome({ method, result: await post('/api/v3/runGetMethod', input) });
    } catch (error) {
      setOutcome({ method, error: toCallError(error) });
    }
  };

  return (
    <Panel title="Run a get-method">
      <form class="get-method" onSubmit={run}>
        {methods.length > 0 && (
          <fieldset class="methods">
            <legend class="visually-hidden">Methods of this contract</legend>
            {methods.map((method) => (
              <button
                key={method.id}
                type="button"
                aria-pressed={method.name === name}
                onClick={() => choose(method.name)}
              >
                {method.name}
              </button>
            ))}
          </fieldset>
        )}
        <Field
          label="Method, by name or number"
          name="method"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
          required
          maxLength={128}
          autocapitalize="off"
        />
        {args.map(({ id, kind, text }, i) => (
          <div key={id} class="argument">
            <Select
              label={`Type of argument ${i + 1}`}
              value={kind}
              options={KIND_OPTIONS}
              onChange={(chosen) => change(id, { kind: chosen })}
            />
            <input
              aria-label={`Argument ${i + 1}`}
              value={text}
              placeholder={KINDS[kind]}
              onInput={({ currentTarget }) => change(id, { text: currentTarget.value })}
              required
              autocomplete="off"
              spellcheck={false}
            />
            <button
              type="button"
              aria-label={`Remove argument ${i + 1}`}
              onClick={() => setArgs(args.filter((one) => one.id !== id))}
            >
              ×
            </button>
          </div>
        ))}
        <div class="tools">
          <button type="button" onClick={() => setArgs([...args, newArgument('number')])}>
            Add argument
          </button>
          <button type="submit" class="primary" disabled={outcome !== undefined && 'isRunning' in outcome}>
            Run
          </button>
        </div>
      </form>
      <div role="status">{outcome !== undefined && <OutcomeView outcome={outcome} />}</div>
    </Panel>
  );
}

function OutcomeView({ outcome }: { readonly outcome: Outcome }) {
  if ('isRunning' in outcome) return <p class="loading">Running {outcome.method}…</p>;
  if ('error' in outcome) return <p class="problem bad">{outcome.error.message}</p>;
  const { exit_code: code, gas_used: gas, stack } = outcome.result;
  return (
    <>
      <Facts
        facts={{
          Method: <code>{outcome.method}</code>,
          'Exit code': (
            <>
              {code} <Badge kind={code === 0 || code === 1 ? 'good' : 'bad'}>{exitCodeText(code)}</Badge>
            </>
          ),
          'Gas used': formatNumber(gas),
        }}
      />
      <h3 class="stack-title">Result</h3>
      <Stack entries={stack} />
    </>
  );
}

function toStackInput({ kind, text: given }: Argument, index: number): V2StackEntityInput {
  const text = given.trim();
  if (kind === 'number') {
    if (!/^-?(?:\d+|0x[0-9a-f]+)$/i.test(text))
      throw new CallError(0, `Argument ${index + 1} should be a number, decimal or 0x…`);
    return { type: 'num', value: text };
  }
  if (kind !== 'address') return { type: kind, value: text };
  const address = parseAddress(text);
  if (address === null) throw new CallError(0, `Argument ${index + 1} should be an address`);
  return { type: 'slice', value: addressSlice(address) };
}

const ADDRESS_BITS = 267;
const MAX_SHOWN = 100;
const MAX_TEXT_CELLS = 128;
/** Numbers of at least so many digits are rather hashes or keys. */
const LONG_NUMBER_DIGITS = 24;

function Stack({ entries }: { readonly entries: readonly V2StackEntity[] }) {
  if (entries.length === 0) return <p class="empty">The stack is empty.</p>;
  return (
    <ol class="stack">
      {entries.slice(0, MAX_SHOWN).map((entry, i) => (
        <li key={i}>
          <span class="kind">{entry.type}</span> <StackValue entry={entry} />
        </li>
      ))}
      {entries.length > MAX_SHOWN && <li class="muted">{entries.length - MAX_SHOWN} more entries</li>}
    </ol>
  );
}

function StackValue({ entry }: { readonly entry: V2StackEntity }) {
  if (typeof entry.value !== 'string')
    return entry.value.length === 0 ? <span class="muted">empty</span> : <Stack entries={entry.value} />;
  return entry.type === 'num' ? <StackNumber hex={entry.value} /> : <CellValue boc={entry.value} />;
}

function StackNumber({ hex }: { readonly hex: string }) {
  const value = hex.startsWith('-') ? -BigInt(hex.slice(1)) : BigInt(hex);
  const text = value.toString();
  const isLong = text.length >= LONG_NUMBER_DIGITS;
  return (
    <span class="with-copy">
      <span class="hash whole">{isLong ? hex : text}</span>
      {!isLong && value > 9n && <span class="muted">({hex})</span>}
      <CopyButton text={text} label="Copy number" />
    </span>
  );
}

function CellValue({ boc }: { readonly boc: string }) {
  const bytes = fromBase64(boc);
  const cell = bytes === null ? undefined : readBoc(bytes)?.root;
  const address = cell && readAddress(cell);
  if (address === null) return <span class="muted">address of nobody</span>;
  if (address !== undefined) return <Address address={address} isWhole canCopy canBeName={false} />;
  const text = cell && readText(cell);
  const content = cell === undefined ? shortened(boc, 12, 12) : cellText(cell);
  return (
    <span class="with-copy">
      {text !== undefined ? <ChainText text={text} /> : <span class="hash whole">{content}</span>}
      <CopyButton text={boc} label="Copy as bag of cells" />
    </span>
  );
}

/** The address that a cell consists of; null for that of nobody, undefined if it is something else. */
function readAddress(cell: Cell): string | null | undefined {
  if (cell.isExotic || cell.refs.length > 0) return undefined;
  if (cell.bitLength === 2 && (cell.bits[0]! & 0xc0) === 0) return null;
  if (cell.bitLength !== ADDRESS_BITS) return undefined;
  try {
    const address = new CellReader(cell).address();
    return address === null ? undefined : rawForm(address);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Text in a chain of cells, if all of it is readable; undefined otherwise. */
function readText(cell: Cell): string | undefined {
  const parts: number[] = [];
  let next: Cell | undefined = cell;
  for (let i = 0; i < MAX_TEXT_CELLS && next !== undefined; i++) {
    if (next.isExotic || next.bitLength % 8 !== 0 || next.refs.length > 1) return undefined;
    parts.push(...next.bits);
    next = next.refs[0];
  }
  // Metadata begins with a tag of its form, comments with an opcode of zeros.
  const start =
    parts[0] === 1 ? 1 : parts.length > 4 && parts.slice(0, 4).every((byte) => byte === 0) ? 4 : 0;
  if (parts.length - start < 2) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(parts.slice(start)));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they tell data from text
    return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
