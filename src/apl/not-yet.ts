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
  cursor_current format_ipv4 format_ipv4_mask genai_cost genai_get_pricing genai_input_cost
  genai_output_cost geo_info_from_ip_address has_any_ipv4 has_any_ipv4_prefix has_ipv4
  has_ipv4_prefix ipv4_compare ipv4_is_in_any_range ipv4_is_in_range ipv4_is_match ipv4_is_private
  ipv4_netmask_suffix ipv6_compare ipv6_is_in_any_range ipv6_is_in_range ipv6_is_match parse_ipv4
  parse_ipv4_mask
`)

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}
