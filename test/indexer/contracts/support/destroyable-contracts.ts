import { hash as hashOnce } from 'node:crypto';
import { type Address, beginCell, Dictionary, type MessageRelaxed } from '@ton/core';
import type { ContractTable } from '../../../../src/db/contract-tables.ts';
import type { ContractState } from '../../../../src/localnet/contracts/contract.ts';
import { contractRecord, dnsRoot } from '../../../../src/localnet/contracts/dns.ts';
import { offChainContent } from '../../../localnet/support/contract-messages.ts';
import type { MethodResult } from '../../../support/get-method-code.ts';
import { listOf, whitelistOf } from '../../detect/support/other-contract-results.ts';
import { address, bytes, cell, int, NULL } from '../../detect/support/stack-items.ts';
import { changeCode, changingContract, deployment, destroyContract } from './live-chain.ts';

/** A contract of one kind that can be destroyed. */
interface DestroyableContract extends ContractState {
  readonly table: ContractTable;
  readonly methods: Readonly<Record<string, MethodResult>>;
}

const DOMAIN_NAME = 'short-lived';
const CODE = cell(beginCell().storeUint(5, 8).endCell());
const CONTENT = cell(offChainContent('https://example.test/1.json'));
const MADE_AT = int(1_700_000_000);

const [WALLET, ITEM, MULTISIG, SALE, VESTING, DOMAIN] = [1, 2, 3, 4, 5, 6].map((number) =>
  changingContract(number),
) as [ContractState, ContractState, ContractState, ContractState, ContractState, ContractState];
const MASTER = changingContract(7, { get_wallet_address: [address(WALLET.address)] });
const ZONE = changingContract(8, {
  get_collection_data: [int(1), CONTENT, address(null)],
  get_nft_address_by_index: [address(DOMAIN.address)],
  get_nft_content: [CONTENT],
});

/** The DNS root whose zone has the domain; the configuration must name it. */
export const DESTROYABLE_ROOT = dnsRoot({ zone: 'ton', resolver: ZONE.address });

/** The full name of the domain. */
export const DESTROYABLE_DOMAIN = `${DOMAIN_NAME}.ton`;

/** A jetton wallet, an NFT, a multisig, a sale, a vesting contract and a domain with a record, all of one owner. */
export function destroyableContracts(owner: Address) {
  const own = address(owner);
  const records = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell());
  records.set(hashOnce('sha256', 'wallet', 'buffer'), contractRecord(owner));
  const contracts = {
    wallet: {
      ...WALLET,
      table: 'jetton_wallets',
      methods: { get_wallet_data: [int(7), own, address(MASTER.address), CODE] },
    },
    item: {
      ...ITEM,
      table: 'nft_items',
      methods: { get_nft_data: [int(-1), int(3), address(null), own, CONTENT] },
    },
    multisig: {
      ...MULTISIG,
      table: 'multisigs',
      methods: { get_multisig_data: [int(4), int(1), cell(listOf(owner)), NULL] },
    },
    sale: {
      ...SALE,
      table: 'nft_sales',
      methods: {
        // FIXP; not complete. Price, then fee and royalty with their receivers.
        get_sale_data: [
          int(0x46495850),
          int(0),
          MADE_AT,
          own,
          address(ITEM.address),
          own,
          int(5000),
          own,
          int(50),
          own,
          int(25),
        ],
      },
    },
    vesting: {
      ...VESTING,
      table: 'vestings',
      methods: {
        get_vesting_data: [
          MADE_AT,
          ...[1000, 100, 200, 10n ** 12n].map(int),
          own,
          own,
          cell(whitelistOf(owner)),
        ],
      },
    },
    domain: {
      ...DOMAIN,
      table: 'dns_entries',
      methods: {
        get_nft_data: [int(-1), int(9), address(ZONE.address), own, CONTENT],
        get_domain: [bytes(DOMAIN_NAME)],
        get_last_fill_up_time: [MADE_AT],
        dnsresolve: [int(8), cell(beginCell().storeDictDirect(records).endCell())],
      },
    },
  } as const satisfies Record<string, DestroyableContract>;
  const all: readonly DestroyableContract[] = Object.values(contracts);
  return {
    contracts,
    all,
    /** Messages that deploy what confirms the contracts; then those that deploy them, make them what they are, and destroy them. */
    prepare: (): MessageRelaxed[] => [DESTROYABLE_ROOT, ZONE, MASTER].map((one) => deployment(one)),
    deploy: (): MessageRelaxed[] => all.map((one) => deployment(one)),
    begin: (): MessageRelaxed[] => all.map((one) => changeCode(one.address, one.methods)),
    destroy: (): MessageRelaxed[] => all.map((one) => destroyContract(one.address, owner)),
  };
}
