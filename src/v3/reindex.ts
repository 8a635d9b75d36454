import Type from 'typebox';
import { PlainText } from '../http/serializer.ts';
import { Failure } from '../lib/errors.ts';
import { defineV3Operation } from './operation.ts';
import { accountsParam } from './parameter-kinds.ts';
import { formatAccount } from './values.ts';

const MAX_ACCOUNTS = 10;

export const createReindex = () =>
  defineV3Operation({
    name: 'accounts/reindex',
    methods: ['POST'],
    tag: 'accounts',
    summary: 'Index accounts again',
    description:
      'For a token that shows an old name or picture, or a contract that is not recognised: reads each account from a lite server, ' +
      'detects its interfaces again and fetches the document of its metadata again. The response comes when the work is queued; it ' +
      'takes seconds. Needs an API key. A key may ask for some accounts per minute, in proportion to its rate limit.',
    parameters: {
      address: accountsParam('Accounts: jettons, NFTs, collections or any others.', {
        max: MAX_ACCOUNTS,
        required: true,
        missingText: 'address of account is required',
      }),
    },
    result: Type.Object(
      { accounts: Type.Array(PlainText(), { description: 'What is queued, as raw addresses.' }) },
      { title: 'ReindexResponse' },
    ),
    errors: [
      { code: 401, when: 'There is no API key, or it does not exist' },
      { code: 404, when: 'An account is not in the index; the text names it, and none is queued' },
    ],
    cache: 'none',
    handler: async ({ address: accounts }, { ports: { reindex }, caller: { payer }, keyId }) => {
      if (keyId === null) throw new Failure('unknown_key', 'accounts/reindex needs an API key');
      if (reindex === undefined) throw new Failure('unavailable', 'this server has no index to write to');
      const permit = reindex.budget.acquire(payer);
      if (permit === undefined)
        throw new Failure('rate_limited', 'too many accounts were reindexed with this key', {
          retryAfterSeconds: reindex.budget.retrySeconds(payer),
        });
      permit.charge(accounts.length);
      const [missing] = await reindex.request(accounts);
      if (missing !== undefined)
        throw new Failure('not_found', `account ${formatAccount(missing)} is not in the index`);
      return { accounts: accounts.map(formatAccount) };
    },
  });
