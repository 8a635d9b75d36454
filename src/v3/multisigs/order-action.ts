import Type, { type Static } from 'typebox';
import type { OrderAction } from '../../chain/contracts/multisig-order/parse-order.ts';
import { PlainText } from '../../http/serializer.ts';
import { Nullable } from '../nullable.ts';
import { type OrderBodyJson, orderBodySchema, toOrderBody } from './order-body.ts';
import { formatPart } from './order-parts.ts';

/** One step of an order. */
export const orderActionSchema = Type.Object({
  destination: Nullable(PlainText()),
  value: Nullable(PlainText()),
  body_raw: Nullable(PlainText({ description: 'A bag of cells.' })),
  parsed: Type.Boolean(),
  error: Nullable(Type.String()),
  parsed_body: Nullable(orderBodySchema),
  parsed_body_type: PlainText(),
  send_mode: Type.Integer(),
});

type OrderActionJson = Static<typeof orderActionSchema>;

const NO_MESSAGE = { destination: null, value: null, body_raw: null, send_mode: 0 };

/** Writes a step of an order. */
export function toOrderAction(action: OrderAction): OrderActionJson {
  if (action.kind === 'broken') {
    return {
      ...NO_MESSAGE,
      parsed: false,
      error: `failed to parse order action: ${action.error}`,
      parsed_body: null,
      parsed_body_type: 'unknown',
    };
  }
  if (action.kind === 'update') {
    const parsed_body: OrderBodyJson = {
      new_threshold: action.threshold,
      new_signers: action.signers.map(formatPart),
      new_proposers: action.proposers.map(formatPart),
    };
    const parsed_body_type = 'multisig_update_params';
    return { ...NO_MESSAGE, parsed: true, error: null, parsed_body, parsed_body_type };
  }
  const { content, body } = action;
  return {
    destination: formatPart(action.destination),
    value: String(action.value),
    body_raw: body.toString('base64'),
    parsed: true,
    error: null,
    parsed_body: toOrderBody(content, body),
    parsed_body_type: content.type,
    send_mode: action.mode,
  };
}
