/**
 * SQL for what a search of leads looks into, in lower case: the names and the company of a row `r` of a dataset. Addresses
 * are a column of their own. The trigger that keeps `dataset_texts` says the same.
 */
export const searchTextSql = (r: string) =>
  `lower(concat_ws(' ', ${r}.data ->> 'first_name', ${r}.data ->> 'last_name', ${r}.data ->> 'full_name', ${r}.data ->> 'company'))`

/** SQL for what of a text `s` of `dataset_texts` its index of trigrams holds. */
export const INDEXED_TEXT = `search_bytes(s.names || E'\\n' || s.email)`
