// Starts an embedded PostgreSQL with the options in its argument (JSON), reports to the parent process, and stops on a
// message or when the parent exits.
import { startEmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { createQuietLog } from './quiet-log.ts';

const log = createQuietLog();

try {
  const postgres = await startEmbeddedPostgres({ ...JSON.parse(process.argv[2] ?? ''), log });
  const stop = async () => {
    await postgres.stop();
    process.exit();
  };
  process.once('message', stop);
  process.once('disconnect', stop);
  const { url, location, adopted } = postgres;
  process.send?.({ url, location, adopted, log: log.lines });
} catch (error) {
  process.send?.({ failed: `${(error as Error).name}: ${(error as Error).message}` }, () => process.exit(1));
}
