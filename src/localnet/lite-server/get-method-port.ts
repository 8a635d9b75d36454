import type { AccountId } from '../../chain/tl/names.ts';
import type { CellTree } from '../store/chain-store.ts';

/** A get-method to be run. The trees are good until the function that gets them first waits for something. */
export interface GetMethodCall {
  readonly address: AccountId;
  /** The cell of the account, which is active. */
  readonly account: CellTree;
  /** The state of the masterchain at the block that the account's block refers to. */
  readonly masterchainState: CellTree;
  /** Unix seconds and logical time of the account's block. */
  readonly utime: number;
  readonly lt: bigint;
  readonly methodId: bigint;
  /** The arguments as a bag of cells with a VmStack; empty for none. */
  readonly params: Buffer;
  readonly gasLimit: number;
}

/** What a get-method gave. */
export interface GetMethodResult {
  readonly exitCode: number;
  /** A bag of cells with a VmStack. */
  readonly stack: Buffer;
  /** A bag of cells with the register c7 that the method started with, if asked for. */
  readonly initC7?: Buffer | undefined;
}

/** Runs a get-method in a TVM. */
export type RunGetMethod = (call: GetMethodCall) => Promise<GetMethodResult>;
