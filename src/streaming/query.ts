const LISTS: ReadonlySet<string> = new Set([
  'addresses',
  'trace_external_hash_norms',
  'types',
  'action_types',
  'supported_action_types',
]);
const FLAGS: ReadonlySet<string> = new Set([
  'include_address_book',
  'include_metadata',
  'include_system_traces',
  'extended',
  'cursors',
  'replay_existing',
]);

/**
 * Reads a subscription from a query, for the `EventSource` of browsers, which can send nothing else. Lists are repeated or
 * joined by commas; everything else is a text, which must make sense to the reader of subscriptions.
 */
export function readQuery(query: unknown): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [spelling, sent] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    const name = (spelling.endsWith('[]') ? spelling.slice(0, -2) : spelling).toLowerCase();
    const values = [sent].flat().map(String);
    if (LISTS.has(name)) {
      const parts = values.flatMap((value) => value.split(',')).filter((part) => part !== '');
      fields[name] = [...((fields[name] as string[] | undefined) ?? []), ...parts];
    } else if (FLAGS.has(name)) fields[name] = readFlag(values.at(-1)!);
    else fields[name] = values.at(-1);
  }
  return fields;
}

function readFlag(text: string): unknown {
  if (text === '' || text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : text;
}
