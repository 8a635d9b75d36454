/** Text that PostgreSQL takes: no NUL, and no half of a pair of surrogates. */
export function cleanText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

/** What `JSON.parse` gave as PostgreSQL takes it, and as it does no harm to who reads it. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  // `jsonb` writes all digits: some bytes such as 1e308 would come back as hundreds.
  if (typeof value === 'number') return /[a-z]/.test(String(value)) ? String(value) : value;
  if (Array.isArray(value)) return value.map(cleanJson);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, one]) => [cleanText(key), cleanJson(one)] as const)
        .filter(([key]) => key !== '__proto__'),
    );
  return value;
}
