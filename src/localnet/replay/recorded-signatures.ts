import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeAnswer } from '../../chain/tl/lite-codec.ts';
import { decodeLiteError } from '../../chain/tl/lite-error.ts';
import type { SignatureSet, SimplexSignatureSet } from '../../chain/tl/signature-sets.ts';
import type { ParsedBlock } from '../store/new-block.ts';

/** What a recording knows of the signatures under a masterchain block. */
type RecordedSignatures = (block: ParsedBlock) => SignatureSet | undefined;

/** Those of a client library lack what the header of the block says too. */
type BareSignatures = Omit<SimplexSignatureSet, 'catchainSeqno' | 'validatorSetHash'>;

const BLOCK_PROOF = /^getBlockProof_.*\.json$/;
const BLOCK_SIGNATURES = /^blocks\.getMasterchainBlockSignatures\..*\.json$/;

/**
 * Reads the signatures of blocks. Blocks do not hold those under them, but the recorded answers of the lite server and
 * of the client library do for some.
 */
export function readRecordedSignatures(folder: string): RecordedSignatures {
  const whole = wholeSets(join(folder, 'lite'));
  const bare = bareSets(join(folder, 'tonlib'));
  return ({ id, info }) => {
    const name = hashName(id.rootHash);
    const found = bare.get(name);
    if (whole.has(name) || found === undefined) return whole.get(name);
    const { genCatchainSeqno: catchainSeqno, genValidatorListHashShort: validatorSetHash } = info;
    return { ...found, catchainSeqno, validatorSetHash };
  };
}

function wholeSets(folder: string): Map<string, SignatureSet> {
  const found = new Map<string, SignatureSet>();
  for (const { response } of answers<{ tl_hex: string }>(folder, BLOCK_PROOF)) {
    const answer = Buffer.from(response.tl_hex, 'hex');
    if (decodeLiteError(answer) !== undefined) continue;
    for (const step of decodeAnswer('getBlockProof', answer).steps)
      if (step.kind === 'forward') found.set(hashName(step.to.rootHash), step.signatures);
  }
  return found;
}

interface TonlibSignatures {
  readonly '@type': string;
  readonly id: { readonly root_hash: string };
  readonly signatures: readonly { readonly node_id_short: string; readonly signature: string }[];
  readonly session_id: string;
  readonly slot: number;
  readonly candidate: string;
}

function bareSets(folder: string): Map<string, BareSignatures> {
  const found = new Map<string, BareSignatures>();
  for (const { response } of answers<TonlibSignatures>(folder, BLOCK_SIGNATURES)) {
    if (response['@type'] !== 'blocks.blockSignatures.simplex') continue;
    found.set(hashName(fromBase64(response.id.root_hash)), {
      kind: 'simplex',
      signatures: response.signatures.map(({ node_id_short, signature }) => ({
        nodeIdShort: fromBase64(node_id_short),
        signature: fromBase64(signature),
      })),
      sessionId: fromBase64(response.session_id),
      slot: response.slot,
      candidate: fromBase64(response.candidate),
    });
  }
  return found;
}

function answers<T>(folder: string, name: RegExp): { readonly response: T }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => name.test(file))
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
}

function fromBase64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}

/** A hash as a key of a map. */
function hashName(hash: Buffer): string {
  return hash.toString('hex');
}
