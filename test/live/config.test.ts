import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configParam } from '../../src/chain/tlb/config.ts';
import { LiteNetworkError } from '../../src/lite/methods/proofs.ts';
import type { LiteTarget } from '../../src/lite/session.ts';
import { createLiveCaches } from '../../src/live/caches.ts';
import { readBlockConfig } from '../../src/live/config.ts';
import { runsRemotely } from '../../src/live/get-methods.ts';
import type { LiveCall } from '../../src/live/session.ts';
import { rotateValidators } from '../../src/localnet/chain/validators.ts';
import { decodeRequest } from '../support/lite-server.ts';
import { missingNetwork } from '../support/recorded-network.ts';
import { openLocalnetApp, openReplayApp } from '../v2/support/v2-app.ts';
import { createCall } from './support/make-call.ts';

const VALIDATORS = 34;

describe('readBlockConfig', () => {
  let context: Awaited<ReturnType<typeof openLocalnetApp>>;
  beforeAll(async () => {
    context = await openLocalnetApp({ blockMs: 3_600_000 });
  });
  afterAll(() => context.close());

  /** A target at the newest block that records its queries; the first queries may fail. */
  async function watched(asked: string[], unanswered = 0): Promise<LiteTarget> {
    const reference = context.running.localnet.store.head;
    const { index, name, query } = await context.pool.session({ budgetMs: 30_000 });
    let left = unanswered;
    return {
      index,
      name,
      reference,
      query: async (request) => {
        asked.push(decodeRequest(Buffer.from(request)).method);
        if (left-- > 0) throw new LiteNetworkError('gone');
        return query(request, { waitSeqno: reference.seqno });
      },
    };
  }

  const paramHash = ({ cells, cell }: Awaited<ReturnType<typeof readBlockConfig>>, index: number): string =>
    cells.hash(configParam(cells, cell, index)).toString('hex');

  it('reads the whole config once for all callers, and its hash once per block', async () => {
    const asked: string[] = [];
    const caches = createLiveCaches();
    const callers = Array.from({ length: 5 }, () => createCall(context, { caches }));
    const target = await watched(asked);
    const found = await Promise.all(callers.map((call) => readBlockConfig(call, target)));
    expect(asked).toEqual(['getConfigParams', 'getConfigAll']);
    for (const one of found) expect(one).toBe(found[0]);

    await context.running.localnet.mine();
    const next = await readBlockConfig(callers[0]!, await watched(asked));
    expect(asked.slice(2)).toEqual(['getConfigParams']);
    expect(next.vm).toBe(found[0]!.vm);
    expect(next.prevBlocks).not.toEqual(found[0]!.prevBlocks);
  });

  it('reads a new config after a key block, and reuses the old one on a chain that was reset', async () => {
    const asked: string[] = [];
    const call = createCall(context);
    const { localnet } = context.running;
    await localnet.snapshot('before');
    const before = await readBlockConfig(call, await watched(asked));
    await rotateValidators(localnet);
    const after = await readBlockConfig(call, await watched(asked));
    expect(asked).toEqual(['getConfigParams', 'getConfigAll', 'getConfigParams', 'getConfigAll']);
    expect(paramHash(after, VALIDATORS)).not.toBe(paramHash(before, VALIDATORS));

    await localnet.restore('before');
    await localnet.mine();
    const again = await readBlockConfig(call, await watched(asked));
    expect(asked.slice(4)).toEqual(['getConfigParams']);
    expect(again.vm).toBe(before.vm);
  });

  it('reads again after a failure', async () => {
    const asked: string[] = [];
    const call = createCall(context);
    await expect(readBlockConfig(call, await watched(asked, 1))).rejects.toThrow('LITE_SERVER_NETWORKgone');
    expect((await readBlockConfig(call, await watched(asked))).vm.globalVersion).toBe(13);
  });

  it('lets a waiting caller read when the first caller fails', async () => {
    const asked: string[] = [];
    const caches = createLiveCaches();
    const calls: LiveCall[] = [createCall(context, { caches }), createCall(context, { caches })];
    const targets = [await watched(asked, 1), await watched(asked)];
    const [first, second] = await Promise.allSettled(
      calls.map((call, i) => readBlockConfig(call, targets[i]!)),
    );
    expect([first!.status, second!.status]).toEqual(['rejected', 'fulfilled']);
  });
});

describe.skipIf(missingNetwork !== '')(`readBlockConfig on a recorded network${missingNetwork}`, () => {
  it('logs once that the network version is newer than our TVM', async () => {
    const context = await openReplayApp();
    const call = createCall(context);
    const target = await context.pool.session({ budgetMs: 30_000 });
    const { vm } = await readBlockConfig(call, target);
    await readBlockConfig(call, target);
    expect([vm.globalVersion, call.ports.caches.globalVersion]).toEqual([14, 14]);
    expect(context.log.texts().filter((text) => text.includes('newer than our TVM'))).toHaveLength(1);
    const { caches } = call.ports;
    expect(runsRemotely({ getMethods: 'auto', caches })).toBe(true);
    expect(runsRemotely({ getMethods: 'auto', caches: createLiveCaches() })).toBe(false);
    await context.close();
  });
});
