/** The form of a value: its keys and the types of its values. */
export function formOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(formOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === '@type' ? inner : formOf(inner)]),
  );
}
