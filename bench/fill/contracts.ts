import type { FoundContract } from '../../src/index/write/write-contracts.ts';
import compiled from '../../src/localnet/contracts/tolk/compiled.json' with { type: 'json' };
import type { Account } from './accounts.ts';

const WALLET_CODE_HASH = Buffer.from(compiled['jetton-wallet'].hash, 'base64');

/** What detection would find in an account: its tables and their columns. */
export function contractOf(account: Account): readonly Pick<FoundContract, 'table' | 'columns'>[] {
  const { kind, number, owner, parent, amount } = account;
  switch (kind) {
    case 'jettonWallet': {
      const columns = {
        balance: BigInt(amount),
        owner: owner!.key,
        jetton: parent!.key,
        mintless_is_claimed: null,
      };
      return [{ table: 'jetton_wallets', columns }];
    }
    case 'jetton': {
      const columns = {
        total_supply: BigInt(amount),
        mintable: true,
        admin: owner!.key,
        content: {
          name: `Jetton ${number}`,
          symbol: `J${number}`,
          description: 'One of many',
          image: `https://example.org/jetton/${number}.png`,
          decimals: '9',
        },
        wallet_code_hash: WALLET_CODE_HASH,
      };
      return [{ table: 'jetton_masters', columns }];
    }
    case 'collection': {
      const content = {
        name: `Collection ${number}`,
        description: 'One of many',
        image: `https://example.org/collection/${number}.png`,
      };
      const columns = { next_item_index: 1000n, owner: owner!.key, content };
      return [{ table: 'nft_collections', columns }];
    }
    case 'zone': {
      const columns = { next_item_index: -1n, owner: null, content: { name: 'Names' } };
      return [{ table: 'nft_collections', columns }];
    }
    case 'item':
      return [item(account, { name: `NFT ${number}`, image: `https://example.org/nft/${number}.png` })];
    case 'domain': {
      const domain = `name-${number}.ton`;
      const columns = { owner: owner!.key, domain, wallet: owner!.key };
      return [item(account, { name: domain }), { table: 'dns_entries', columns }];
    }
    default:
      return [];
  }
}

function item({ number, owner, parent }: Account, content: Readonly<Record<string, string>>) {
  const columns = { init: true, index: BigInt(number), collection: parent!.key, owner: owner!.key, content };
  return { table: 'nft_items' as const, columns };
}
