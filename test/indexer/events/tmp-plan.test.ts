import { sql } from 'kysely';
import { it } from 'vitest';
import { accountOf, eventOf, openEventGround, putWallet } from './event-ground.ts';
import { settleWaiting } from '../../../src/indexer/events/settle-waiting.ts';
import { writeEvents } from '../../../src/indexer/events/write-events.ts';
import { FigureBook } from '../../../src/indexer/write/write-figures.ts';
it('costs', async () => {
  const g = await openEventGround();
  await g.begin();
  for (let i = 0; i < 300; i++) await putWallet(g.db, `w${i}`);
  const { client, commit } = await g.open();
  const judged = Array.from({ length: 2000 }, (_, i) => accountOf(`a${i}`));
  for (let i = 0; i < 5; i++) { const s = performance.now(); await settleWaiting(client, judged); console.log('probe 2000', (performance.now() - s).toFixed(2)); }
  for (let i = 0; i < 5; i++) {
    const events = Array.from({ length: 2000 }, (_, n) => eventOf('jetton_transfer', `w${n % 300}`, 10 + i, { lt: BigInt(i * 10000 + n), customPayload: undefined, forwardPayload: Buffer.alloc(60) }));
    const s = performance.now(); await writeEvents(client, events, { judged: [] }, new FigureBook()); console.log('write 2000', (performance.now() - s).toFixed(2)); }
  await commit();
  await g.close();
}, 300_000);
