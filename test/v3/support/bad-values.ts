import { expect } from 'vitest';
import type { Operation } from '../../../src/http/operation.ts';
import type { V3Call } from '../../../src/v3/call.ts';
import type { createListAsker } from './list-asker.ts';

/** Texts that are of no kind of parameter, or that break things. */
const JUNK = [
  ...['x', '-1', '1.5e400', '0x', 'null', 'NaN', '9'.repeat(30), ' ', "'; drop table messages; --", 'a,b'],
  ...['\0', '\ud83d', '[]', '{}', 'true', 'é', '0:', '-2:00', 'A'.repeat(5000), '0'.repeat(63), '%00', '1e9'],
];

/** Sends junk for every parameter: a refusal names the parameter, and nothing else goes wrong. */
export async function expectRefusals(
  operation: Operation<V3Call>,
  asker: ReturnType<typeof createListAsker>,
  certain: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  for (const name of Object.keys(operation.parameters)) {
    for (const value of [...JUNK, ...(certain[name] ?? [])]) {
      const answer = await asker.inject({ limit: '1', [name]: value });
      const what = `${name}=${value.slice(0, 40)}: ${answer.body.slice(0, 200)}`;
      expect([200, 404, 422], what).toContain(answer.statusCode);
      if (certain[name]?.includes(value)) expect(answer.statusCode, what).toBe(422);
      if (answer.statusCode === 422) {
        expect(answer.json(), what).toEqual({ code: 422, error: expect.stringContaining(name) });
      }
    }
  }
}
