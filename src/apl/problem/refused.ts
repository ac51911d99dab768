const PRICES =
  'prices of models change, and none are known here: a cost is reckoned by `extend cost = input_tokens * 2.5 / 1000000`'

/** Functions of APL that need what is not here: refused by name, with the reason and what to do instead. */
export const FUNCTIONS_REFUSED: Readonly<Record<string, string>> = {
  cursor_current:
    'rows have no cursors in this version; a page begins behind a time: `where _time > ago(1h)`',
  format_sql:
    'there is no parser of SQL here whose trees it could write; a text is put together by `strcat("select ", column)`',
  genai_cost: PRICES,
  genai_get_pricing: PRICES,
  genai_input_cost: PRICES,
  genai_output_cost: PRICES,
  geo_info_from_ip_address:
    'it needs a database of places, which is not part of this version; networks are told by `ipv4_is_in_range(ip, "10.0.0.0/8")`',
  parse_sql:
    'there is no parser of SQL here; a part of a statement is found by `extract("from ([a-z_]+)", 1, statement)`',
}
