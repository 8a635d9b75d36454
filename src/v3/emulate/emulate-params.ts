import Type from 'typebox';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import type { Parameter, ParameterValues } from '../../http/operation.ts';
import { booleanParam } from '../params/boolean.ts';
import { int32Kind } from '../params/int32.ts';
import { refuse } from '../params/kind.ts';
import { scalarParam } from '../params/scalar.ts';
import { readBocText } from './boc-text.ts';

/** The parameters of both operations: what is shown, and of which block the chain is taken. */
export function viewParams() {
  const flag = (description: string) => booleanParam({ description, fallback: false });
  return {
    with_actions: flag('Tell the actions.'),
    include_code_data: flag('Give the code and the data of the accounts.'),
    include_address_book: flag('Tell about the addresses.'),
    include_metadata: flag('Tell about the tokens among them.'),
    mc_block_seqno: scalarParam(seqnoKind, {
      description: 'The masterchain block from which on to emulate; the newest when left out.',
    }),
  };
}

/** What a request said of the answer that it wants. */
export type EmulateView = ParameterValues<ReturnType<typeof viewParams>>;

const seqnoKind = {
  ...int32Kind,
  schema: Type.Integer({ minimum: 0 }),
  convert: (text: string) => {
    const seqno = int32Kind.convert(text);
    return seqno !== undefined && seqno >= 0 ? seqno : undefined;
  },
};

/** The message that is to be emulated: a bag of cells. */
export function messageParam(): Parameter<Buffer> {
  return {
    schema: Type.String(),
    description: 'Message from outside as a bag of cells in base64.',
    required: true,
    read: ({ name, values }) => {
      const value = values.at(-1);
      if (value === undefined || value === '') throw refuse(name, 'boc is required');
      const bag = readBocText(value, { name, what: 'invalid boc' });
      return writeBoc({ cells: bag, roots: [bag.root] }, { order: 'core', crc: false });
    },
  };
}
