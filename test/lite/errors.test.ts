import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  classifyFailure,
  type FailureClass,
  LiteBudgetExceeded,
  LiteServerError,
  LiteTimeout,
  NoLiteServer,
} from '../../src/lite/errors.ts';
import { LiteNetworkError, ProofFailure } from '../../src/lite/methods/proofs.ts';
import { missingNetwork, RECORDED_NETWORK } from '../support/recorded-network.ts';

const HASH = '1'.repeat(64);
const REJECTED =
  'cannot apply external message to current state : External message was not accepted: cannot run message on account:';

/** Code, text, class: texts of real servers. */
const REFUSALS: readonly [number, string, FailureClass][] = [
  [
    651,
    'cannot find block (-1,8000000000000000) seqno=99999999: seqno not in db (last known masterchain block: 45157808)',
    'missing',
  ],
  [651, 'cannot find block (0,8000000000000000) seqno=5: seqno not in db', 'missing'],
  [
    651,
    'cannot find block (0,c000000000000000) seqno=99999999: ltdb: block not found (possibly out of sync: shard_client_seqno=476 ls_seqno=476)',
    'missing',
  ],
  [651, 'cannot find block (-1,8000000000000000) lt=999999999999999: lt not in db', 'missing'],
  [651, 'cannot find block (-1,8000000000000000) utime=2147483000: ts not in db', 'missing'],
  [651, 'ltdb: block not found', 'missing'],
  [651, 'block (0,8000000000000000,123) is not in db', 'missing'],
  [651, 'block (0,8000000000000000,123) is not applied', 'missing'],
  [651, 'not in db', 'missing'],
  [602, "state already gc'd", 'missing'],
  [651, 'state not in db', 'missing'],
  [651, `cannot load block (-1,8000000000000000,125):${HASH}:${HASH} : block handle not in db`, 'missing'],
  [
    -400,
    'cannot compute block with specified transaction: cannot find block (0,c25e8b92e48f9c50) lt=29142750000001: lt not in db',
    'missing',
  ],
  [
    -400,
    `cannot load block (0,8000000000000000,40278934):${HASH}:${HASH} with specified transaction: not in db`,
    'missing',
  ],
  [652, 'timeout', 'network'],
  [0, 'timeout', 'network'],
  [651, 'node not synced', 'network'],
  [-400, 'cannot locate transaction in block with specified logical time', 'final'],
  [-400, 'transaction hash mismatch', 'final'],
  [-400, 'exactly one of mode.0, mode.1 and mode.2 bits must be set', 'final'],
  [651, 'too big masterchain block seqno', 'final'],
  [0, 'Unknown constructor found 0xefbeadde at 4', 'final'],
  [
    -701,
    `${REJECTED} inbound external message rejected by transaction ${HASH}:\nexitcode=33, steps=23, gas_used=0\nVM Log (truncated):\n...`,
    'final',
  ],
  [0, 'cannot apply external message to current state : block not found', 'final'],
  [0, 'cannot apply external message to current state : too many external messages to address 0:AB', 'final'],
];

/** The recorded refusals that a server with a deeper archive might not give. */
const RECORDED_MISSING = [
  'err_getAccountState_unknown_block',
  'err_getBlockHeader_unknown',
  'err_getBlock_unknown',
  'err_getBlock_unknown_seqno',
  'err_getBlock_wrong_file_hash',
  'err_getBlock_zero',
  'err_getConfigAll_unknown',
  'err_getShardBlockProof_unknown',
  'err_listBlockTransactions_unknown',
  'getAllShardsInfo_zero',
  'lookupBlock_future_lt',
  'lookupBlock_future_utime',
  'lookupBlock_seqno0',
  'lookupBlock_unknown_seqno',
  'lookupBlock_wc7',
];

describe('classifyFailure', () => {
  it.each(REFUSALS)('classifies refusal %i: %s', (code, text, expected) => {
    expect(classifyFailure(new LiteServerError(code, text))).toBe(expected);
  });

  it('classifies failures without a response, wrong proofs and other errors', () => {
    expect(classifyFailure(new LiteNetworkError('Cancelled'))).toBe('network');
    expect(classifyFailure(new LiteTimeout())).toBe('network');
    expect(classifyFailure(new ProofFailure('VALIDATE_ACCOUNT_STATE', ': not in db'))).toBe('proof');
    expect(classifyFailure(new LiteBudgetExceeded())).toBe('final');
    expect(classifyFailure(new NoLiteServer('no workers available'))).toBe('final');
    expect(classifyFailure(new Error('not in db'))).toBe('final');
    expect(classifyFailure('timeout')).toBe('final');
  });

  it.skipIf(missingNetwork !== '')(`classifies every recorded refusal${missingNetwork}`, () => {
    const found: Record<string, FailureClass> = {};
    const answers = new URL('lite/', RECORDED_NETWORK);
    for (const file of readdirSync(answers)) {
      const { decoded } = JSON.parse(readFileSync(new URL(file, answers), 'utf8')).response;
      if (decoded?.['@type'] !== 'liteServer.error') continue;
      found[file.replace('.json', '')] = classifyFailure(new LiteServerError(decoded.code, decoded.message));
    }
    const named = (wanted: FailureClass) => Object.keys(found).filter((name) => found[name] === wanted);
    expect(named('missing').sort()).toEqual([...RECORDED_MISSING].sort());
    expect(named('network')).toEqual(['err_waitMasterchainSeqno_timeout']);
    expect(named('final')).toHaveLength(23);
  });
});
