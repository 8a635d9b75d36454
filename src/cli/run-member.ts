import { readSettings, SettingsError } from '../config/settings.ts';
import { StartError } from '../lib/errors.ts';
import { exitProcess } from '../observe/exit-process.ts';
import { signalsOf, takePlace } from '../workers/place.ts';
import { openProcess } from './open-process.ts';
import { serve } from './serve.ts';

/** Runs a process of a server until its parent says so, or is gone. */
export async function runMember(): Promise<void> {
  const place = await takePlace();
  const { channel, post, command } = place;
  try {
    const settings = readSettings(process.env);
    const greeting = post.kind === 'worker' ? 'Worker starting' : 'Process of the chain starting';
    const opened = openProcess(settings, greeting, { signals: signalsOf(place) });
    const { shutdown, metrics } = opened;
    channel.on('stop', () => void shutdown.stop('stop of the server'));
    void channel.closed.then(() => shutdown.stop('end of the parent process'));
    channel.on('processMetrics', () => metrics.registry.getMetricsAsJSON());
    // Closed last: nothing is counted after it.
    shutdown.add('last metrics', async () => {
      const counted = await metrics.registry.getMetricsAsJSON();
      await channel.call('lastMetrics', counted).catch(() => {});
    });
    await serve({
      settings,
      everything: command === 'start',
      out: process.stdout,
      within: { ...opened, place },
    });
  } catch (error) {
    const isExpected = error instanceof StartError || error instanceof SettingsError;
    const text = isExpected ? error.message : ((error as Error)?.stack ?? String(error));
    await channel.call('failed', text, isExpected).catch(() => {});
    exitProcess(1);
  }
}
