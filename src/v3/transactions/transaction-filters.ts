import type { TransactionFilters } from '../../db/queries/transactions.ts';
import type { ParameterValues } from '../../http/operation.ts';
import { accountsParam } from '../params/accounts.ts';
import { hashKind, hashParam } from '../params/hash.ts';
import { int32Param } from '../params/int32.ts';
import { listParam } from '../params/list.ts';
import { shardParam } from '../params/shard.ts';
import { uint64Param } from '../params/uint64.ts';
import { spanParams, toSpan } from '../span.ts';

const MAX_HASHES = 1000;

/** The parameters that choose transactions. */
export function transactionFilterParams() {
  return {
    workchain: int32Param({ description: 'Workchain of the block.' }),
    shard: shardParam({ description: 'Shard of the block, in hex or as a signed decimal.' }),
    seqno: int32Param({ description: 'Seqno of the block in its shard.' }),
    mc_seqno: int32Param({ description: 'Seqno of the masterchain block that committed it.' }),
    account: accountsParam({ description: 'Accounts.' }),
    exclude_account: accountsParam({ description: 'Accounts whose transactions are left out.' }),
    hash: listParam(hashKind, { description: 'Hashes of transactions.', max: MAX_HASHES }),
    lt: uint64Param({ description: 'Logical time.' }),
    root_hash: hashParam({ description: 'Has no effect.' }),
    file_hash: hashParam({ description: 'Has no effect.' }),
    ...spanParams({ utime: 'Time', lt: 'Logical time' }),
  };
}

/** What a request wants of transactions. */
export function toTransactionFilters(
  params: ParameterValues<ReturnType<typeof transactionFilterParams>>,
): TransactionFilters {
  const { workchain, shard, seqno, mc_seqno: mcSeqno, account, exclude_account, hash, lt } = params;
  const span = toSpan(params);
  return {
    workchain,
    shard,
    seqno,
    mcSeqno,
    accounts: account,
    excluded: exclude_account,
    hashes: hash,
    lt,
    span,
  };
}
