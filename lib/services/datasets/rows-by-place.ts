/**
 * SQL: the rows `r` of a dataset (SQL) that `which` selects, in the order of their place.
 *
 * Statistics know nothing of a dataset that was just imported: Postgres expects a single row of it. Its index by address then looks as
 * good as the one by place, although each batch of a launch would read the whole dataset through it. The order decides for the place.
 * OFFSET 0 keeps the selection apart, or the order would be dropped.
 */
export const rowsByPlace = (dataset: string, which: string) =>
  `(SELECT * FROM dataset_rows r WHERE r.dataset_id = ${dataset} AND ${which} ORDER BY r.lead_index OFFSET 0)`
