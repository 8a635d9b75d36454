import { hash as hashOnce } from 'node:crypto';
import {
  type Address,
  beginCell,
  type Cell,
  Dictionary,
  internal,
  type MessageRelaxed,
  SendMode,
  toNano,
} from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import type { ContractTable } from '../../../../src/db/tables/contract-tables.ts';
import type { ContractState } from '../../../../src/localnet/contracts/contract.ts';
import { contractRecord, dnsRoot } from '../../../../src/localnet/contracts/dns.ts';
import { addToWhitelist, vestingWallet } from '../../../../src/localnet/contracts/vesting.ts';
import { walletTransfer } from '../../../../src/localnet/contracts/wallets.ts';
import { listOf } from '../../../detect/support/other-contract-results.ts';
import { address, bytes, cell, int, NULL } from '../../../detect/support/stack-items.ts';
import { offChainContent } from '../../../localnet/support/contract-messages.ts';
import { externalCell } from '../../../localnet/support/local-chain.ts';
import type { MethodResult } from '../../../support/get-method-code.ts';
import { changeCode, changingContract, deployment, destroyContract } from './live-chain.ts';

/** A contract of one kind that can be destroyed. */
interface DestroyableContract extends ContractState {
  readonly table: ContractTable;
  /** Makes a deployed contract what it is. */
  readonly begin: MessageRelaxed;
}

const DOMAIN_NAME = 'short-lived';
const CODE = cell(beginCell().storeUint(5, 8).endCell());
const CONTENT = cell(offChainContent('https://example.test/1.json'));
const MADE_AT = 1_700_000_000;
const VESTING_ID = 1;

const [WALLET, ITEM, MULTISIG, SALE, DOMAIN] = [1, 2, 3, 4, 5].map((number) => changingContract(number)) as [
  ContractState,
  ContractState,
  ContractState,
  ContractState,
  ContractState,
];
const MASTER = changingContract(6, { get_wallet_address: [address(WALLET.address)] });
const ZONE = changingContract(7, {
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
  const changing = <Table extends ContractTable>(
    table: Table,
    contract: ContractState,
    methods: Readonly<Record<string, MethodResult>>,
  ) => ({
    ...contract,
    table,
    begin: changeCode(contract.address, methods),
  });
  const vesting = vestingOf(owner);
  const contracts = {
    wallet: changing('jetton_wallets', WALLET, {
      get_wallet_data: [int(7), own, address(MASTER.address), CODE],
    }),
    item: changing('nft_items', ITEM, {
      get_nft_data: [int(-1), int(3), address(null), own, CONTENT],
    }),
    multisig: changing('multisigs', MULTISIG, {
      get_multisig_data: [int(4), int(1), cell(listOf(owner)), NULL],
    }),
    sale: changing('nft_sales', SALE, {
      // FIXP; not complete. Price, then fee and royalty with their receivers.
      get_sale_data: [
        ...[0x46495850, 0, MADE_AT].map(int),
        own,
        address(ITEM.address),
        own,
        int(5000),
        own,
        int(50),
        own,
        int(25),
      ],
    }),
    vesting: {
      ...vesting,
      table: 'vestings',
      begin: internal({ to: vesting.address, value: toNano('1'), body: addToWhitelist([owner]) }),
    },
    domain: changing('dns_entries', DOMAIN, {
      get_nft_data: [int(-1), int(9), address(ZONE.address), own, CONTENT],
      get_domain: [bytes(DOMAIN_NAME)],
      get_last_fill_up_time: [int(MADE_AT)],
      dnsresolve: [int(8), cell(beginCell().storeDictDirect(records).endCell())],
    }),
  } as const satisfies Record<string, DestroyableContract>;
  const all: readonly DestroyableContract[] = Object.values(contracts);
  return {
    contracts,
    all,
    /** Deploys what confirms the contracts. */
    prepare: (): MessageRelaxed[] => [DESTROYABLE_ROOT, ZONE, MASTER].map((one) => deployment(one)),
    deploy: (): MessageRelaxed[] => all.map((one) => deployment(one)),
    begin: (): MessageRelaxed[] => all.map(({ begin }) => begin),
    /** Destroys all but the vesting contract, which takes an external message. */
    destroy: (): MessageRelaxed[] =>
      all.filter(({ table }) => table !== 'vestings').map((one) => destroyContract(one.address, owner)),
    destroyVesting: (): Cell => takeAll(vesting, owner),
  };
}

const KEYS = keyPairFromSeed(Buffer.alloc(32, 7));
const NEVER = 0xffffffff;

/** A vesting contract is known by its code, so it is a real one; nothing in it is locked any more. */
function vestingOf(owner: Address): ContractState {
  return vestingWallet({
    publicKey: KEYS.publicKey,
    walletId: VESTING_ID,
    startTime: MADE_AT,
    totalDuration: 1000,
    unlockPeriod: 100,
    cliffDuration: 200,
    totalAmount: toNano('1000'),
    sender: owner,
    owner,
  });
}

/** Makes a new vesting contract send all that it has, so that its account is destroyed. */
function takeAll({ address: to }: ContractState, heir: Address): Cell {
  const body = walletTransfer({
    version: 'v3r2',
    walletId: VESTING_ID,
    secretKey: KEYS.secretKey,
    seqno: 0,
    validUntil: NEVER,
    mode: SendMode.CARRY_ALL_REMAINING_BALANCE | SendMode.DESTROY_ACCOUNT_IF_ZERO,
    messages: [internal({ to: heir, value: 0n, bounce: false })],
  });
  return externalCell(to, body);
}
