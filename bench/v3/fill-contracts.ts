import { readMethodIds } from '../../src/chain/contracts/method-ids.ts';
import { codeCell } from '../../src/localnet/contracts/contract.ts';
import {
  JETTON_MINTER_CODE,
  JETTON_WALLET_CODE,
  NFT_ITEM_CODE,
} from '../../src/localnet/contracts/tolk/compiled.ts';
import { KNOWN_WALLET_CODES } from '../../src/localnet/contracts/wallet-codes.ts';
import { account, bag, cellHash, codeOf, type Filling, type FillStep, hash, random } from './fill-chain.ts';

/** A row of `contract_codes`. */
interface CodeRow {
  readonly hash: Buffer;
  readonly boc: Buffer;
  readonly methods: readonly number[] | null;
}

/** The codes of accounts by the last digit of their number: most are wallets. */
export function contractCodes(): readonly CodeRow[] {
  const [wallet, jettonWallet, item, minter] = [
    KNOWN_WALLET_CODES.v3r2,
    JETTON_WALLET_CODE,
    NFT_ITEM_CODE,
    JETTON_MINTER_CODE,
  ].map((compiled) => {
    const code = codeCell(compiled);
    const boc = code.toBoc({ idx: false, crc32: false });
    return { hash: code.hash(), boc, methods: readMethodIds(boc) ?? null };
  }) as [CodeRow, CodeRow, CodeRow, CodeRow];
  return [...Array.from({ length: 6 }, () => wallet), jettonWallet, jettonWallet, item, minter];
}

// The kind of an account depends on the last digit of its number.
const IS_JETTON_WALLET = 'number % 10 in (6, 7)';
const IS_ITEM = 'number % 10 = 8';
const OTHER = 9;

/** Latest states of all accounts, tokens and names, and the token transfers of the planned transactions. */
export function contractSteps(
  { accounts, jettons, collections }: Filling,
  codes: readonly Buffer[],
): FillStep[] {
  const all = `generate_series(0, ${accounts - 1}) number`;
  const named = (kind: string, number: string) => `('\\x00'::bytea || ${hash(`'${kind}' || ${number}`)})`;
  /** A wallet as owner; few wallets own very much. */
  const owner = (row: string, salt: number) => {
    const number = `(floor(${accounts / 10} * ${random(row, salt)} ^ 3) * 10 + ${row} % 6)::bigint`;
    return account(number);
  };
  const jetton = named('jetton', `floor(${jettons} * ${random('number', 11)} ^ 2)::int`);
  const collection = named('collection', `floor(${collections} * ${random('number', 12)} ^ 2)::int`);
  const data = `(int4send(number) || int4send(698983191) || ${hash(`'k' || number`)})`;
  const ofState = `1 + number, ${codeOf('number', codes)}, ''`;
  const other = codeOf(String(OTHER), codes);
  const stateColumns = 'last_transaction_lt, code_hash, data_hash';
  const event = 'p.account, p.lt, p.mc_seqno, t.now, false, p.i';
  const eventColumns = 'account, lt, mc_seqno, now, aborted, query_id';
  const withTransaction =
    'join transactions t on t.account = p.account and t.lt = p.lt and t.mc_seqno = p.mc_seqno';
  return [
    {
      what: 'states',
      statement: `insert into latest_account_states
        select ${account('number')}, ${hash(`'s' || coalesce(i, -number)`)}, 'active',
               floor(1e15 * ${random('number', 13)} ^ 8) + number, null, ${codeOf('number', codes)}, ${cellHash('data')}, null,
               coalesce(lt, 1), ${hash(`'t' || coalesce(i, 0)`)}, 1700000000 + coalesce(mc_seqno, 0) * 2, coalesce(mc_seqno, 0)
        from (select number, ${data} as data from ${all}) made
        left join (select distinct on (number) number, i, lt, mc_seqno from bench_plan order by number, lt desc) last using (number)`,
    },
    {
      what: 'states',
      statement: `insert into latest_account_states
        select ('\\x00'::bytea || ${hash('name')}), ${hash(`'s' || name`)}, 'active', 50000000, null, ${other},
               ${hash(`'d' || name`)}, null, 1, ${hash(`'t' || 0`)}, 1700000000, 0
        from (select 'jetton' || number as name from generate_series(0, ${jettons - 1}) number union all
              select 'collection' || number from generate_series(0, ${collections - 1}) number) tokens`,
    },
    {
      what: 'data',
      statement: `insert into account_data
        select ${account('number')}, ${cellHash('data')}, ${bag('data')} from (select number, ${data} as data from ${all}) made`,
    },
    {
      what: 'jettons',
      statement: `insert into jetton_masters (account, ${stateColumns}, total_supply, mintable, admin, content, wallet_code_hash)
        select ${named('jetton', 'number')}, 1, ${other}, '', 1e18 + number, true, ${owner('number', 14)},
               jsonb_build_object('uri', 'https://example.org/jetton/' || number || '.json', 'decimals', '9'), ${codeOf('6', codes)}
        from generate_series(0, ${jettons - 1}) number`,
    },
    {
      what: 'jetton wallets',
      statement: `insert into jetton_wallets (account, ${stateColumns}, balance, owner, jetton)
        select ${account('number')}, ${ofState}, floor(1e12 * ${random('number', 15)} ^ 4), ${owner('number', 16)}, ${jetton}
        from ${all} where ${IS_JETTON_WALLET}`,
    },
    {
      what: 'collections',
      statement: `insert into nft_collections (account, ${stateColumns}, next_item_index, owner, content)
        select ${named('collection', 'number')}, 1, ${other}, '', 1000, ${owner('number', 17)},
               jsonb_build_object('uri', 'https://example.org/collection/' || number || '.json')
        from generate_series(0, ${collections - 1}) number`,
    },
    {
      what: 'NFTs',
      statement: `insert into nft_items (account, ${stateColumns}, init, index, collection, owner, content)
        select ${account('number')}, ${ofState}, true, number, ${collection}, ${owner('number', 18)},
               jsonb_build_object('uri', number || '.json')
        from ${all} where ${IS_ITEM}`,
    },
    {
      what: 'names',
      statement: `insert into dns_entries (account, ${stateColumns}, owner, domain, wallet)
        select ${named('domain', 'number')}, 1, ${other}, '', ${account('number')}, 'name-' || number || '.ton', ${account('number')}
        from ${all} where number % 20 = 0`,
    },
    {
      what: 'metadata',
      statement: `insert into token_metadata (account, kind, source_hash, valid, name, description, image, symbol, extra, updated_at)
        select account, 'jetton_masters'::token_kind, ''::bytea, true, 'Jetton ' || id, 'One of many', 'https://example.org/' || id || '.png', 'J' || id,
               '{"decimals": "9"}'::jsonb, 1700000000 from jetton_masters union all
        select account, 'nft_collections', '', true, 'Collection ' || id, 'One of many', 'https://example.org/c/' || id || '.png', null,
               '{}'::jsonb, 1700000000 from nft_collections union all
        select account, 'nft_items', '', true, 'NFT ' || index, 'One of a collection', 'https://example.org/n/' || index || '.png', null,
               '{"attributes": [{"trait_type": "Colour", "value": "Blue"}]}', 1700000000 from nft_items where index % 100 >= 8`,
    },
    {
      what: 'jetton transfers',
      statement: `insert into jetton_transfers (${eventColumns}, jetton, amount, source, destination, response_destination,
          forward_ton_amount, forward_payload)
        select ${event}, w.jetton, 1000000 + p.i % 99991, w.owner, ${owner('p.i', 19)}, w.owner, 1, null
        from bench_plan p join jetton_wallets w using (account) ${withTransaction} where p.i % 3 > 0`,
    },
    {
      what: 'burns',
      statement: `insert into jetton_burns (${eventColumns}, jetton, amount, owner, response_destination)
        select ${event}, w.jetton, 1000000 + p.i % 99991, w.owner, w.owner
        from bench_plan p join jetton_wallets w using (account) ${withTransaction} where p.i % 30 = 0`,
    },
    {
      what: 'NFT transfers',
      statement: `insert into nft_transfers (${eventColumns}, collection, index, old_owner, new_owner, forward_amount)
        select ${event}, n.collection, n.index, ${owner('p.i', 20)}, n.owner, 1
        from bench_plan p join nft_items n using (account) ${withTransaction} where p.i % 2 = 0`,
    },
    { what: 'plan', statement: 'drop table bench_plan' },
  ];
}
