/**
 * SQL for the text that lead search looks into, in lower case: the names and the company of a row `r` of a dataset. Addresses are a
 * separate column. The trigger that maintains `dataset_texts` must use the same expression.
 */
export const searchTextSql = (r: string) =>
  `lower(concat_ws(' ', ${r}.data ->> 'first_name', ${r}.data ->> 'last_name', ${r}.data ->> 'full_name', ${r}.data ->> 'company'))`

/** SQL for the part of a row `s` of `dataset_texts` that its trigram index holds. */
export const INDEXED_TEXT = `search_bytes(s.names || E'\\n' || s.email)`
