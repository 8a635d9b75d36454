/** A message of 65 535 bytes, the most that nodes take, with room to spare. */
const MAX_LINE = 128 * 1024;
const DATA = 'data:';

/**
 * The messages of a feed as it sends them: a bag of cells in base64 on each line, or in the data of a server-sent event.
 * Other fields of events, comments and empty lines say that the feed is there. A line that is too long is left out.
 */
export async function* readFeedLines(
  body: AsyncIterable<Uint8Array>,
  onBytes: () => void,
): AsyncIterable<string> {
  const decoder = new TextDecoder('latin1');
  let rest = '';
  let isTooLong = false;
  for await (const bytes of body) {
    onBytes();
    const lines = (rest + decoder.decode(bytes)).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const message = isTooLong ? undefined : messageIn(line);
      isTooLong = false;
      if (message !== undefined) yield message;
    }
    if (rest.length > MAX_LINE) {
      rest = '';
      isTooLong = true;
    }
  }
}

/** The message in a line; undefined where there is none. */
function messageIn(line: string): string | undefined {
  const text = (line.startsWith(DATA) ? line.slice(DATA.length) : line).trim();
  // What is neither base64 nor the data of an event is another field of one, or a comment.
  return text.length <= MAX_LINE && /^[A-Za-z0-9+/_-]+=*$/.test(text) ? text : undefined;
}
