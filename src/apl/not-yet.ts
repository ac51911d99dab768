// What APL has and this version does not run: refused by name, never as if it were misspelt. Whoever
// builds one takes its word out of here; a test holds that nothing is on both lists.

export const OPERATORS_NOT_YET: readonly string[] = words(`
  as join lookup union
`)

/** What a query may begin with, and the statements before one. */
export const SOURCES_NOT_YET: readonly string[] = words(`
  datatable declare externaldata let print search set table union
`)

export const AGGREGATES_NOT_YET: readonly string[] = words(`
  phrases spotlight
`)

export const FUNCTIONS_NOT_YET: readonly string[] = words(`
  base64_decode_toarray base64_decode_tostring base64_encode_fromarray base64_encode_tostring
  countof countof_regex cursor_current dynamic_to_json extract_all find_pair format_bytes
  format_ipv4 format_ipv4_mask format_sql format_url genai_cost genai_get_pricing genai_input_cost
  genai_output_cost geo_info_from_ip_address gettype has_any_ipv4 has_any_ipv4_prefix has_ipv4
  has_ipv4_prefix hash hash_md5 hash_sha1 hash_sha256 hash_sha512 indexof_regex ipv4_compare
  ipv4_is_in_any_range ipv4_is_in_range ipv4_is_match ipv4_is_private ipv4_netmask_suffix
  ipv6_compare ipv6_is_in_any_range ipv6_is_in_range ipv6_is_match isascii isbool iscc isimei
  ismap isreal isstring isutf8 pair parse_bytes parse_csv parse_ipv4 parse_ipv4_mask parse_pair
  parse_path parse_sql parse_url parse_urlquery quote regex_quote reverse strcat_delim strcmp
  string_size strip_ansi_escapes strrep toarray todynamic tohex totitle translate trim_end
  trim_end_regex trim_regex trim_space trim_start trim_start_regex unicode_codepoints_from_string
  unicode_codepoints_to_string url_decode url_encode
`)

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}
