import { expect, it } from 'vitest';
import { methodsOf } from '../../web/account/method-names.ts';

it('offers get-methods, those with a known name first, and no functions that code calls itself', () => {
  const [seqno, unknown, recvInternal, helper] = [85143, 70000, 0, 1];
  expect(methodsOf([recvInternal, helper, 2, unknown, seqno, -1, -2])).toEqual([
    { id: seqno, name: 'seqno' },
    { id: unknown, name: '70000' },
  ]);
});
