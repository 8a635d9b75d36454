import pg from 'pg';

/**
 * A client whose connection is dropped when a query outlives `query_timeout`. pg itself only rejects the
 * query and keeps the connection, so after a machine went silent the pool would hand out dead connections for
 * a quarter of an hour, until TCP gives up.
 */
export class ImpatientClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: passes all overloads of pg on as they are
  override query(...args: any[]): any {
    const result = Reflect.apply(super.query, this, args);
    if (result instanceof Promise) {
      result.catch((error: Error) => {
        if (error.message === 'Query read timeout') this.connection.stream.destroy();
      });
    }
    return result;
  }
}
