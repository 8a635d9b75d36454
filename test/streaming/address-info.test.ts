import { expect, it } from 'vitest';
import { createDatabase } from '../../src/db/connection.ts';
import { loadAddressInfo } from '../../src/streaming/address-info.ts';
import { formatAccount } from '../../src/v3/values.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { NO_INDEX } from '../v3/support/build-app.ts';

const account = Buffer.concat([Buffer.of(0), Buffer.alloc(32, 7)]);

it('has an address book and metadata although the database does not respond', async () => {
  const log = createQuietLog();
  const database = createDatabase({ url: 'postgres://127.0.0.1:1/none', replicaUrls: [], poolSize: 1, log });
  const options = { ports: NO_INDEX, log, textDecimals: false, addressBook: true, metadata: true };
  const info = await loadAddressInfo(database.primary, [account], options);
  expect(JSON.parse(info.bookOf([account, account]))).toEqual({
    [formatAccount(account)]: {
      user_friendly: expect.stringMatching(/^UQ/),
      domain: null,
      interfaces: [],
    },
  });
  expect(info.metadataOf([account])).toBe('{}');
  await database.close();
});
