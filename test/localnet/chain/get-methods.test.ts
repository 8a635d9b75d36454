import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { decodeResponse } from '../../../src/lite/methods/codec.ts';
import { createRunGetMethod } from '../../../src/localnet/chain/vm-runs.ts';
import type { Vm } from '../../../src/vm/vm.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import { answersFrom, type TestAnswers } from '../lite-server/support/answers.ts';
import { recordedQueries, sharedRecording } from '../support/recorded-network.ts';

/** Get-methods of a recorded network, run by our own machine behind the replaying lite server. */
describe.skipIf(missingNetwork !== '')(`get-methods of a replayed network${missingNetwork}`, () => {
  let vm: Vm;
  let server: TestAnswers;
  beforeAll(() => {
    const store = sharedRecording();
    vm = sharedVm();
    server = answersFrom(store, { runGetMethod: createRunGetMethod(store, vm) });
  });
  afterAll(() => vm.close());

  it.each(recordedQueries('lite').filter(({ name }) => name.startsWith('runSmcMethod')))(
    '$name',
    async ({ request, answer }) => {
      const want = decodeResponse('runSmcMethod', answer);
      const got = decodeResponse('runSmcMethod', await server.bytes(request));
      expect(got.exitCode).toBe(want.exitCode);
      expect(hashOf(got.result)).toEqual(hashOf(want.result));
      expect(got.shardBlock).toEqual(want.shardBlock);
    },
  );
});

function hashOf(stack: Buffer | undefined): Buffer | undefined {
  if (stack === undefined || stack.length === 0) return undefined;
  const bag = readBoc(stack);
  return bag.hash(bag.root);
}
