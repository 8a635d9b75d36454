/** `i32.const 4; i32.store`: the debug level is stored at an address, which is the constant before. */
const STORE_DEBUG = Buffer.from([0x41, 4, 0x36, 2, 0]);
const LEVEL_AT = 1;
const FATAL = 0;
/** Get-methods and transactions. */
const PLACES = 2;

/**
 * Lets the emulator log nothing. Each run begins with setting the debug level; then it writes the stacks, the log of TVM
 * a second time and more into a text that is a part of its output, and that nobody reads. That took half of the time of a
 * small get-method. The log of TVM in the result has a level of its own.
 */
export function withoutDebugLog(emulator: Uint8Array): Uint8Array {
  const patched = Buffer.from(emulator);
  let places = 0;
  let address: string | undefined;
  for (let at = patched.indexOf(STORE_DEBUG); at >= 0; at = patched.indexOf(STORE_DEBUG, at + 1)) {
    const constant = addressBefore(patched, at);
    if (constant === undefined) continue;
    address ??= constant;
    if (constant !== address) throw unknownBuild();
    patched[at + LEVEL_AT] = FATAL;
    places++;
  }
  if (places !== PLACES) throw unknownBuild();
  return patched;
}

const unknownBuild = (): Error => new Error('unknown build of the emulator');

const CONSTANT = 0x41;
const CONTINUES = 0x80;
/** The longest LEB128 of 32 bits. */
const MAX_BYTES = 5;

/** The bytes of the constant that ends here, of at least two bytes; undefined if there is none. */
function addressBefore(code: Buffer, end: number): string | undefined {
  if (code[end - 1]! >= CONTINUES) return undefined;
  let start = end - 1;
  while (end - start < MAX_BYTES && code[start - 1]! >= CONTINUES) start--;
  return start < end - 1 && code[start - 1] === CONSTANT ? code.toString('hex', start, end) : undefined;
}
