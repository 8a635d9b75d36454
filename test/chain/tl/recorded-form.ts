/** Names of the recorded JSON that ours differ from by more than their spelling. */
const RENAMED: Readonly<Record<string, string>> = {
  shardblk: 'shardBlock',
  wc: 'workchain',
  cc_seqno: 'catchainSeqno',
};

const KIND_OF_TYPE: Readonly<Record<string, string>> = {
  'liteServer.blockLinkBack': 'back',
  'liteServer.blockLinkForward': 'forward',
  'liteServer.signatureSet.ordinary': 'ordinary',
  'liteServer.signatureSet.simplex': 'simplex',
};

const camelCase = (name: string): string =>
  RENAMED[name] ?? name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** A recorded value with our names; hashes that were written as hex in a request become base64. */
export function fromRecorded(value: unknown): unknown {
  if (typeof value === 'string') {
    return /^[0-9a-f]{64}$/i.test(value) ? Buffer.from(value, 'hex').toString('base64') : value;
  }
  if (Array.isArray(value)) return value.map(fromRecorded);
  if (typeof value !== 'object' || value === null) return value;
  const { '@type': type, ...fields } = value as Record<string, unknown>;
  const entries = Object.entries(fields).map(([name, field]) => [camelCase(name), fromRecorded(field)]);
  const named = Object.fromEntries(entries) as Record<string, unknown>;
  const kind = typeof type === 'string' ? KIND_OF_TYPE[type] : undefined;
  if (kind !== undefined) return { kind, ...named };
  const isAccount = Object.keys(named).sort().join() === 'id,workchain';
  return isAccount ? { workchain: named.workchain, hash: named.id } : named;
}

/** A decoded value in the recorded encodings: base64 for bytes, text for 64-bit numbers, no absent fields. */
export function toRecorded(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value.toString('base64');
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(toRecorded);
  if (typeof value !== 'object' || value === null) return value;
  const present = Object.entries(value).filter(([name, field]) => name !== 'method' && field !== undefined);
  return Object.fromEntries(present.map(([name, field]) => [name, toRecorded(field)]));
}
