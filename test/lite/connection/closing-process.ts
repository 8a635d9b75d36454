/** A process of its own that uses a connection, closes it, and should end; run by process-end.test.ts. */
import { createConnection } from '../../../src/lite/connection.ts';
import { startLiteServer } from '../../support/lite-server.ts';

const situation = process.argv[2];
const server = await startLiteServer({ answer: (request) => request });
if (situation === 'reconnecting') await server.stop();
const changed = Promise.withResolvers<void>();
const connection = createConnection({
  host: server.host,
  port: server.port,
  publicKey: server.publicKey,
  onReady: changed.resolve,
  onDown: () => changed.resolve(),
});
if (situation !== 'connecting') await changed.promise;
if (situation === 'used') await connection.query(Buffer.from('some'));
if (situation === 'asking') connection.query(Buffer.from('some')).catch(() => {});
connection.close();
await server.stop();
process.stdout.write('closed');
