import type { CellBuilder } from '../boc/cell-builder.ts';
import type { Anycast, MsgAddress } from '../tlb/msg-address.ts';

const LENGTH_BITS = 9;

/** Writes a MsgAddress of any kind. */
export function writeMsgAddress(builder: CellBuilder, address: MsgAddress): void {
  switch (address.kind) {
    case 'none':
      builder.uint(0b00, 2);
      return;
    case 'extern':
      builder.uint(0b01, 2).uint(address.bits, LENGTH_BITS).bits(address.value, 0, address.bits);
      return;
    case 'std':
      builder.uint(0b10, 2);
      writeAnycast(builder, address.anycast);
      builder.int(address.workchain, 8).hash(address.hash);
      return;
    case 'var':
      builder.uint(0b11, 2);
      writeAnycast(builder, address.anycast);
      builder.uint(address.bits, LENGTH_BITS).int(address.workchain, 32);
      builder.bits(address.value, 0, address.bits);
  }
}

function writeAnycast(builder: CellBuilder, anycast: Anycast | undefined): void {
  builder.boolean(anycast !== undefined);
  if (anycast !== undefined) builder.uint(anycast.depth, 5).uint(anycast.prefix, anycast.depth);
}
