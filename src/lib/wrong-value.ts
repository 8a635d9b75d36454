const MAX_SHOWN_CHARS = 64;

/** A text in quotes for an error text; a long one is cut off. */
export function quoted(text: string): string {
  return text.length > MAX_SHOWN_CHARS ? `"${text.slice(0, MAX_SHOWN_CHARS)}…"` : `"${text}"`;
}

/** A value of a request for an error text, as JSON; a long one is cut off. */
export function shownValue(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  // Large integers of a JSON body are bigints.
  const json = JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)) ?? '';
  return json.length > MAX_SHOWN_CHARS ? `${json.slice(0, MAX_SHOWN_CHARS)}…` : json;
}

/** The text that refuses a value: the parameter, the expected form and what was given. */
export function wrongValue(name: string, form: string, value: unknown): string {
  return `${name} should be ${form}, not ${shownValue(value)}`;
}
