import { closeSync, openSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** What the owner of a wallet gets from the airdrop of a mintless jetton. */
export interface Airdrop {
  /** 33 bytes. */
  readonly owner: Buffer;
  readonly amount: bigint;
  /** Unix seconds, as below. */
  readonly startFrom: number;
  readonly expireAt: number;
}

// Records of one size in the order of owners, so that one is found with few reads and nothing is kept in memory.
const RECORD_BYTES = 64;
const OWNER_BYTES = 33;
const AMOUNT_AT = OWNER_BYTES;
const AMOUNT_BYTES = 16;
const START_AT = AMOUNT_AT + AMOUNT_BYTES;
const TIME_BYTES = 6;
const EXPIRE_AT = START_AT + TIME_BYTES;
const RECORDS_PER_WRITE = 16_384;

/** Creates a file, which must not exist; the thread waits for the disk. */
export function createAirdropFile(path: string) {
  const file = openSync(path, 'wx');
  const buffer = Buffer.alloc(RECORDS_PER_WRITE * RECORD_BYTES);
  let end = 0;
  const flush = (): void => {
    for (let at = 0; at < end; ) at += writeSync(file, buffer, at, end - at);
    end = 0;
  };
  return {
    /** Owners must come in ascending order. */
    add({ owner, amount, startFrom, expireAt }: Airdrop): void {
      owner.copy(buffer, end);
      buffer.write(amount.toString(16).padStart(2 * AMOUNT_BYTES, '0'), end + AMOUNT_AT, 'hex');
      buffer.writeUIntBE(startFrom, end + START_AT, TIME_BYTES);
      buffer.writeUIntBE(expireAt, end + EXPIRE_AT, TIME_BYTES);
      end += RECORD_BYTES;
      if (end === buffer.length) flush();
    },
    close(): void {
      try {
        flush();
      } finally {
        closeSync(file);
      }
    },
  };
}

export type AirdropFile = Awaited<ReturnType<typeof openAirdropFile>>;

export async function openAirdropFile(path: string) {
  const file = await open(path);
  const record = Buffer.alloc(RECORD_BYTES);
  const count = Math.floor((await file.stat()).size / RECORD_BYTES);
  return {
    /** The airdrop of an owner; undefined if there is none. */
    async find(owner: Buffer): Promise<Airdrop | undefined> {
      for (let from = 0, to = count; from < to; ) {
        const middle = (from + to) >>> 1;
        await file.read(record, 0, RECORD_BYTES, middle * RECORD_BYTES);
        const order = record.compare(owner, 0, OWNER_BYTES, 0, OWNER_BYTES);
        if (order === 0) return readRecord(record);
        if (order < 0) from = middle + 1;
        else to = middle;
      }
      return undefined;
    },
    close: () => file.close(),
  };
}

function readRecord(record: Buffer): Airdrop {
  return {
    owner: Buffer.from(record.subarray(0, OWNER_BYTES)),
    amount: BigInt(`0x${record.toString('hex', AMOUNT_AT, START_AT)}`),
    startFrom: record.readUIntBE(START_AT, TIME_BYTES),
    expireAt: record.readUIntBE(EXPIRE_AT, TIME_BYTES),
  };
}
