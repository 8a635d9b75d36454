/** The program of a thread of the virtual machine. */
import { readPrepared, serveJobs } from '../../lib/worker-jobs.ts';
import type { WorkMessage } from '../work-encoder.ts';
import { compileEmulator } from './emulator.ts';
import { Runner } from './runner.ts';

const module = readPrepared<object>() ?? (await compileEmulator());
const runner = new Runner(module);
await runner.start();
serveJobs((message: WorkMessage, step) => runner.work(message, step), { prepared: module });
