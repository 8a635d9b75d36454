import { readFileSync } from 'node:fs';
import { Cell } from '@ton/core';
import { RECORDED_NETWORK } from '../../../support/recorded-network.ts';
import type { Rule } from '../case.ts';
import { type Json, recordedJson } from '../recorded-files.ts';

/** Responses that depend on the head: it was later than the end of the recording, and now is the end of the recording. */
export const timeRules: readonly Rule[] = [
  {
    name: 'the head in error texts is the end of the recording',
    kind: 'time',
    where: '6.4',
    why: 'a lite server names its head in some errors; it was later when the response was recorded',
    change: (want) =>
      typeof want.error === 'string'
        ? {
            ...want,
            error: want.error
              .replace(/(last known masterchain block: )\d+/, '$1125')
              .replace(/(shard_client_seqno=)\d+( ls_seqno=)\d+/, '$1125$2125'),
          }
        : undefined,
  },
  {
    name: 'an account at the head is the account at the end of the recording',
    kind: 'time',
    where: '6.1',
    why: 'the account did not change afterwards: only the block and its time differ',
    change: (want, testCase) => {
      if (!/\.(?:alice|seqno)\.head$/.test(testCase.name) || want.result.block_id === undefined)
        return undefined;
      const { sync_utime } = want.result;
      const time = sync_utime !== undefined && { sync_utime: shardTime(sync_utime) };
      return { ...want, result: { ...want.result, block_id: headBlock(), ...time } };
    },
  },
  {
    name: 'the head is the end of the recording',
    kind: 'time',
    where: '10.1',
    why: 'getMasterchainInfo returns the head',
    change: (want, { operation }) =>
      operation === 'getMasterchainInfo'
        ? { ...want, result: masterchainInfoAtHead(want.result) }
        : undefined,
  },
  {
    name: 'queue sizes at the end of the recording',
    kind: 'time',
    where: '10.8',
    why: 'getOutMsgQueueSize reads the blocks at the head; their queues are all empty',
    change: (want, { operation }) => {
      if (operation !== 'getOutMsgQueueSize') return undefined;
      const ids = [headBlock(), ...lastMasterchainEntry().shards.map(blockIdOf)];
      const shards = ids.map((id, i) => ({ ...want.result.shards[i], id }));
      return { ...want, result: { ...want.result, shards } };
    },
  },
  {
    name: 'a proof from the head is the proof from the end of the recording',
    kind: 'time',
    where: '10.3',
    why: 'the same block was also recorded with its proof from the last block of the recording',
    change: (_, testCase, { want }) => {
      if (!/getShardBlockProof\..*\.head$/.test(testCase.name)) return undefined;
      const name = testCase.name.replace(/\.head$/, '');
      return want(testCase.source === 'tonlib' ? `${name}#getShardBlockProof` : name);
    },
  },
  {
    name: 'a fee estimate at the end of the recording',
    kind: 'time',
    where: '14.4',
    why: 'the storage fee grows with time; the same tonlib call was recorded at the end of the recording',
    change: (want, testCase, { tonlib, want: wanted }) => {
      if (testCase.source !== 'http' || testCase.operation !== 'estimateFee' || want.status !== 200)
        return undefined;
      const { address, body } = testCase.params;
      const same = [...tonlib.values()].find(({ name, request }) => {
        const query = name.startsWith('estimateFees.') && request[0].function;
        return query && query.destination.account_address === address && query.body === body;
      });
      return same && { ...want, result: wanted(`tonlib/${same.name}#estimateFee`).result };
    },
  },
];

/** The result of getMasterchainInfo at the end of the recording. */
export function masterchainInfoAtHead(later: Json): Json {
  return { ...later, last: headBlock(), state_root_hash: headStateHash() };
}

function lastMasterchainEntry(): Json {
  return recordedJson('index.json').masterchain.at(-1);
}

function headBlock(): Json {
  return blockIdOf(lastMasterchainEntry().block);
}

function blockIdOf({ workchain, shard, seqno, root_hash, file_hash }: Json): Json {
  const id = String(BigInt.asIntN(64, BigInt(`0x${shard}`)));
  return { '@type': 'ton.blockIdExt', workchain, shard: id, seqno, root_hash, file_hash };
}

function shardTime(later: number): number {
  const { gen_utime } = lastMasterchainEntry().new_shard_blocks[0];
  if (gen_utime > later) throw new Error('Recorded head is before the end of the recording');
  return gen_utime;
}

/** The new hash in the Merkle update of the last block. */
function headStateHash(): string {
  const boc = readFileSync(new URL('blocks/-1_8000000000000000_125.boc', RECORDED_NETWORK));
  const update = Cell.fromBoc(boc)[0]!.refs[2]!;
  return update.bits.subbuffer(8 + 256, 256)!.toString('base64');
}
