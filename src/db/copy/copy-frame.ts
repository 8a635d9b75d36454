/** What comes before the rows of a binary COPY: its signature, no flags, no extension. */
export const COPY_HEAD = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');

/** What comes after the last row. */
export const COPY_END = Buffer.from([0xff, 0xff]);

/** The statement that takes rows of some columns of a table. */
export function copyStatement(table: string, columns: readonly string[]): string {
  return `copy ${table} (${columns.join(', ')}) from stdin (format binary)`;
}
