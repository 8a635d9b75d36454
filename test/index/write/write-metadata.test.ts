import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dropMetadata, writeMetadata } from '../../../src/index/write/write-contracts.ts';
import { createChainMetadataReader } from '../../../src/metadata/token-fields.ts';
import {
  accountOf,
  createMetadataTestContext,
  foundToken,
  type MetadataTestContext,
} from '../../metadata/support/metadata-test.ts';

let context: MetadataTestContext;

beforeAll(async () => {
  context = await createMetadataTestContext();
});
afterEach(() => context.clear());
afterAll(() => context.close());

const item = (content: Record<string, string>) => foundToken('nft_items', 'i', content);
const collection = (content: Record<string, string>) => foundToken('nft_collections', 'i', content);
const master = (content: Record<string, string>) => foundToken('jetton_masters', 'i', content);

async function written(found: ReturnType<typeof item>) {
  await context.put([found]);
  return (await context.read('i'))!;
}

const uri = 'https://a.test/1.json';

describe('on-chain metadata', () => {
  it('fills its columns, and puts the rest into extra', async () => {
    const row = await written(
      master({
        name: 'N',
        description: 'D',
        image: 'I',
        symbol: 'S',
        decimals: '9',
        image_data: 'AA==',
      }),
    );
    expect(row).toMatchObject({
      name: 'N',
      description: 'D',
      image: 'I',
      symbol: 'S',
      error: null,
      tries: 0,
      extra: { decimals: '9', image_data: 'AA==' },
    });
  });

  it.each([
    ['a master with a symbol', master({ symbol: 'S' }), true],
    ['a master without one', master({ name: 'N', image: 'I', description: 'D' }), false],
    ['a master with an empty one', master({ symbol: '' }), false],
    ['an item with a name', item({ name: 'N' }), true],
    ['an item with a domain', item({ domain: 'a.ton' }), true],
    ['an item without either', item({ image: 'I', description: 'D', symbol: 'S' }), false],
    ['a collection with a name', collection({ name: 'N' }), true],
    ['a collection with a description', collection({ description: 'D' }), true],
    ['a collection with an image', collection({ image: 'I' }), true],
    ['a collection without any', collection({ symbol: 'S' }), false],
    ['an empty item', item({}), false],
  ])('is valid if it can be displayed: %s', async (_, found, isUsable) => {
    const row = await written(found);
    expect(row).toMatchObject({ valid: isUsable, wait: null });
    expect(row.error === null).toBe(isUsable);
  });

  it.each([
    ['uri', 'uri', { uri }, null],
    ['url', 'url', { url: uri }, null],
    ['both and a name', 'url', { url: uri, uri, name: 'N' }, true],
  ])('queues a document: %s', async (_, link, content, valid) => {
    const row = await written(item(content));
    expect(row).toMatchObject({ valid, error: null, priority: 0, extra: { [link]: uri } });
    expect(row.wait).toBeLessThanOrEqual(0);
  });

  it('gives masters priority over collections, and collections over items', async () => {
    await context.put([
      foundToken('nft_items', 'a', { uri }),
      foundToken('nft_collections', 'b', { uri }),
      foundToken('jetton_masters', 'c', { uri }),
    ]);
    const priorities = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => (await context.read(name))!.priority),
    );
    expect(priorities).toEqual([0, 1, 2]);
  });

  it('has image variants with an imgproxy', async () => {
    await context.put([item({ name: 'N', image: 'https://a.test/i.png' })], { imgproxy: {} });
    const { extra } = (await context.read('i'))!;
    expect(Object.keys(extra!).toSorted()).toEqual([
      '_image_big',
      '_image_big_blur',
      '_image_medium',
      '_image_medium_blur',
      '_image_small',
      '_image_small_blur',
    ]);
  });

  it('is written without characters that the database rejects', async () => {
    const found = item({ name: 'a\0b\ud800', domain: '\0', '\0odd\udfff': '\udc00' });
    await writeMetadata(context.client, [found], createChainMetadataReader());
    expect(await context.read('i')).toMatchObject({
      name: 'ab\ufffd',
      extra: { domain: '', 'odd\ufffd': '\ufffd' },
    });
  });

  it('ignores contracts that are not tokens', async () => {
    const hash = Buffer.alloc(32);
    const columns = { balance: 1, owner: hash, jetton: hash, mintless_is_claimed: null };
    await writeMetadata(
      context.client,
      [
        {
          table: 'jetton_wallets',
          account: accountOf('i'),
          lastTransLt: 1n,
          codeHash: hash,
          dataHash: hash,
          columns,
        },
      ],
      createChainMetadataReader(),
    );
    await dropMetadata(context.client, 'jetton_wallets', [accountOf('i')]);
    expect(await context.read('i')).toBeUndefined();
  });
});

describe('existing metadata', () => {
  const fetched = {
    name: 'Fetched',
    valid: true,
    tries: 3,
    updated_at: 5,
    expires_at: 6,
    priority: 3,
    error: 'e',
  };
  const noteFetched = () =>
    context.test.database.primary
      .updateTable('token_metadata')
      .set({ ...fetched, next_try: null })
      .execute();

  it('stays while the content is the same', async () => {
    await context.put([master({ uri, decimals: '9' })]);
    await noteFetched();
    // The same fields in another order.
    const row = await written(master({ decimals: '9', uri }));
    expect(row).toMatchObject({ name: 'Fetched', tries: 3, priority: 3, wait: null, fresh: 1 });
  });

  it('is replaced when the content changes', async () => {
    await context.put([master({ uri })]);
    await noteFetched();
    await context.test.database.primary.updateTable('token_metadata').set({ is_scam: true }).execute();
    const row = await written(master({ uri: `${uri}2` }));
    expect(row).toMatchObject({ name: null, valid: null, tries: 0, priority: 2, fresh: null, error: null });
    expect(row.wait).toBeLessThanOrEqual(0);
    const marks = await context.test.database.primary
      .selectFrom('token_metadata')
      .select('is_scam')
      .execute();
    expect(marks, 'marks are of the account').toEqual([{ is_scam: true }]);
  });

  it('is deleted with the contract; other kinds of the account stay', async () => {
    await context.put([master({ uri }), item({ uri })]);
    await dropMetadata(context.client, 'jetton_masters', [accountOf('i')]);
    const rows = await context.test.database.primary.selectFrom('token_metadata').select('kind').execute();
    expect(rows).toEqual([{ kind: 'nft_items' }]);
  });
});
