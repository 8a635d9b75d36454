import type { ColumnType, Generated } from 'kysely';
import type {
  AccountDataTable,
  AccountStatesTable,
  ContractCodesTable,
  LatestAccountStatesTable,
} from './account-tables.ts';
import type {
  ActionAccountsTable,
  ActionsTable,
  ClassificationFaultsTable,
  ClassificationRangesTable,
  UnclassifiedTracesTable,
  WaitingTracesTable,
} from './action-tables.ts';
import type {
  BlocksTable,
  MessageContentsTable,
  MessagesTable,
  OpenTracesTable,
  OrphanMessagesTable,
  PendingMessagesTable,
  ShardStatesTable,
  TraceAccountsTable,
  TracesTable,
} from './chain-tables.ts';
import type { ContractTables } from './contract-tables.ts';
import type {
  JettonBurnsTable,
  JettonTransfersTable,
  NftTransfersTable,
  TokenMetadataTable,
  WaitingEventsTable,
} from './event-tables.ts';
import type { IndexChunksTable, IndexOriginTable, MissingCellsTable } from './index-work-tables.ts';
import type { TransactionsTable } from './transactions-table.ts';

/** A `timestamptz` that may be left out when a row is written. */
type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>;

interface ApiKeysTable {
  /** `bigint`, which pg hands out as a decimal string. */
  readonly id: Generated<string>;
  /** SHA-256 of the key; the key itself is stored nowhere. */
  readonly hash: Buffer;
  readonly name: string;
  readonly plan: string;
  /** Networks the key may be used on; empty means all. */
  readonly networks: ColumnType<string[], readonly string[] | undefined, readonly string[]>;
  readonly rps: number;
  readonly created_at: ColumnType<Date, Date | undefined, never>;
  readonly last_used_at: OptionalTime;
  readonly revoked_at: OptionalTime;
}

/** The tables as Kysely sees them; `migrations/` makes them and `test/db/schema.sql` shows the result. */
export interface Tables extends ContractTables {
  readonly api_keys: ApiKeysTable;
  readonly blocks: BlocksTable;
  readonly shard_states: ShardStatesTable;
  readonly transactions: TransactionsTable;
  readonly messages: MessagesTable;
  readonly message_contents: MessageContentsTable;
  readonly traces: TracesTable;
  readonly trace_accounts: TraceAccountsTable;
  readonly open_traces: OpenTracesTable;
  readonly pending_messages: PendingMessagesTable;
  readonly orphan_messages: OrphanMessagesTable;
  readonly account_states: AccountStatesTable;
  readonly latest_account_states: LatestAccountStatesTable;
  readonly contract_codes: ContractCodesTable;
  readonly account_data: AccountDataTable;
  readonly missing_cells: MissingCellsTable;
  readonly jetton_transfers: JettonTransfersTable;
  readonly jetton_burns: JettonBurnsTable;
  readonly nft_transfers: NftTransfersTable;
  readonly waiting_events: WaitingEventsTable;
  readonly token_metadata: TokenMetadataTable;
  readonly actions: ActionsTable;
  readonly action_accounts: ActionAccountsTable;
  readonly unclassified_traces: UnclassifiedTracesTable;
  readonly classification_ranges: ClassificationRangesTable;
  readonly classification_faults: ClassificationFaultsTable;
  readonly waiting_traces: WaitingTracesTable;
  readonly index_origin: IndexOriginTable;
  readonly index_chunks: IndexChunksTable;
}
