/** Hashes with @ton/core before and after its SHA-256 is replaced, in a thread that has packages of its own. */
import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { beginCell } from '@ton/core';
import { sha256_sync } from '@ton/crypto';
import { useNativeSha256 } from '../../../../src/chain/boc/ton-core.ts';

export interface HashedCells {
  readonly slow: HashedCell;
  readonly native: HashedCell;
  readonly installedTwice: HashedCell;
  /** Texts and bytes whose hash differs from that of node:crypto. */
  readonly wrong: readonly string[];
}

interface HashedCell {
  readonly hash: string;
  readonly turnedToHex: number;
}

const plainToString = Buffer.prototype.toString;

/** The slow function begins by turning its input into hex, which the native one never does. */
function hashCell(): HashedCell {
  let turnedToHex = 0;
  Buffer.prototype.toString = function (...args: Parameters<typeof plainToString>) {
    if (args[0] === 'hex') turnedToHex += 1;
    return plainToString.apply(this, args);
  };
  const cell = beginCell().storeUint(5, 32).storeRef(beginCell().endCell()).endCell();
  Buffer.prototype.toString = plainToString;
  return { hash: cell.hash().toString('hex'), turnedToHex };
}

const slow = hashCell();
useNativeSha256();
const native = hashCell();
const wrong = ['', 'abc', 'é'].filter((text) =>
  [text, Buffer.from(text)].some(
    (source) => !sha256_sync(source).equals(createHash('sha256').update(text, 'utf8').digest()),
  ),
);
useNativeSha256();
const hashed: HashedCells = { slow, native, installedTwice: hashCell(), wrong };
parentPort!.postMessage(hashed);
