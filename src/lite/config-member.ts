import { type BlockId, WHOLE_SHARD } from '../chain/block-id.ts';
import { parseHash } from '../chain/hash/parse-hash.ts';

/** A global config that cannot be used; the message names the member. */
export class ConfigFault extends Error {
  constructor(text: string) {
    super(text);
    this.name = 'ConfigFault';
  }
}

/** A value of a JSON text together with its name, so that a fault can say what it is about. */
export class ConfigMember {
  readonly #value: unknown;
  readonly #name: string;

  constructor(value: unknown, name = '') {
    this.#value = value;
    this.#name = name;
  }

  get isGiven(): boolean {
    return this.#value !== undefined && this.#value !== null;
  }

  /** A member of an object; one that is not there is found out when it is read. */
  at(name: string): ConfigMember {
    const fields = this.#value;
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) throw this.fault('an object');
    return new ConfigMember(
      (fields as Record<string, unknown>)[name],
      this.#name === '' ? name : `${this.#name}.${name}`,
    );
  }

  items(): ConfigMember[] {
    if (!Array.isArray(this.#value)) throw this.fault('a list');
    return this.#value.map((item, position) => new ConfigMember(item, `${this.#name}[${position}]`));
  }

  integer(min: number, max: number): number {
    const value = this.#value;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
      throw this.fault(`an integer from ${min} to ${max}`);
    return value;
  }

  /** 32 bytes in base64 or hex. */
  hash(): Buffer {
    const hash = typeof this.#value === 'string' ? parseHash(this.#value) : undefined;
    if (hash === undefined) throw this.fault('32 bytes in base64');
    return hash;
  }

  /** A signed 64-bit number, which JSON texts hold as a number or as a string. */
  long(): bigint {
    const text = String(this.#value);
    if (!/^-?\d{1,20}$/.test(text)) throw this.fault('a 64-bit number');
    return BigInt.asIntN(64, BigInt(text));
  }

  /** A block of the masterchain. */
  masterchainBlock(): BlockId {
    const block = {
      workchain: this.at('workchain').integer(-1, -1),
      shard: this.at('shard').long(),
      seqno: this.at('seqno').integer(0, 2 ** 31 - 1),
      rootHash: this.at('root_hash').hash(),
      fileHash: this.at('file_hash').hash(),
    };
    if (block.shard !== WHOLE_SHARD) throw this.at('shard').fault(`${WHOLE_SHARD}`);
    return block;
  }

  fault(expected: string): ConfigFault {
    const name = this.#name === '' ? 'it' : this.#name;
    const got = this.#value === undefined ? 'is missing' : `must be ${expected}, got ${shorten(this.#value)}`;
    return new ConfigFault(`${name} ${got}`);
  }
}

const MAX_SHOWN_CHARS = 60;

function shorten(value: unknown): string {
  // Numbers beyond 2^53 are bigints here, which JSON does not know.
  const text = JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? Number(part) : part));
  return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text;
}
