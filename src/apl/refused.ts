// APL that needs what is not here: refused by name, each with the reason and what to do instead.

/** Functions, with what the answer says. */
export const FUNCTIONS_REFUSED: Readonly<Record<string, string>> = {
  format_sql:
    'there is no parser of SQL here whose trees it could write; a text is put together by `strcat("select ", column)`',
  parse_sql:
    'there is no parser of SQL here; a part of a statement is found by `extract("from ([a-z_]+)", 1, statement)`',
}
