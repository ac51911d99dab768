import { type Signature, signature } from './signature.js'

const textOfMessages = signature('messages: dynamic|string', 'string')
const valueOfMessages = signature('messages: dynamic|string', 'dynamic')

/** Functions on conversations with language models: arrays of messages, each with a role and a content. */
export const GENAI_FUNCTIONS = {
  genai_concat_contents: signature('messages: dynamic|string, [separator: string]', 'string')(
    'the contents of all messages, joined by a separator (a space by default)',
    'print genai_concat_contents(dynamic([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]), " / ") // "Hi / Hello"',
  ),
  genai_conversation_turns: signature('messages: dynamic|string', 'int')(
    'the number of messages of the user',
    'print genai_conversation_turns(dynamic([{"role": "user", "content": "Hi"}])) // 1',
  ),
  genai_estimate_tokens: signature('text: string', 'int')(
    'an estimate of the number of tokens: a quarter of the number of characters, rounded up',
    'print genai_estimate_tokens("how many?") // 3',
  ),
  genai_extract_assistant_response: textOfMessages(
    'the content of the last message of the assistant; empty if there is none',
    'print genai_extract_assistant_response(dynamic([{"role": "assistant", "content": "Hello"}])) // "Hello"',
  ),
  genai_extract_function_results: valueOfMessages(
    'the contents of the messages of tools and functions, as an array; null if there are none',
    'print genai_extract_function_results(dynamic([{"role": "tool", "content": "42"}])) // ["42"]',
  ),
  genai_extract_system_prompt: textOfMessages(
    'the content of the first system message; empty if there is none',
    'print genai_extract_system_prompt(dynamic([{"role": "system", "content": "Be brief."}])) // "Be brief."',
  ),
  genai_extract_tool_calls: valueOfMessages(
    'the tool calls of all messages, as an array; null if there are none',
    'print genai_extract_tool_calls(dynamic([{"role": "assistant", "tool_calls": [{"id": "a"}]}])) // [{"id":"a"}]',
  ),
  genai_extract_user_prompt: textOfMessages(
    'the content of the last message of the user; empty if there is none',
    'print genai_extract_user_prompt(dynamic([{"role": "user", "content": "Hi"}])) // "Hi"',
  ),
  genai_get_content_by_index: signature('messages: dynamic|string, index: int', 'string')(
    'the content of the message at an index, from 0; empty if there is none',
    'print genai_get_content_by_index(dynamic([{"role": "user", "content": "Hi"}]), 0) // "Hi"',
  ),
  genai_get_content_by_role: signature('messages: dynamic|string, role: string', 'string')(
    'the content of the first message with a role; empty if there is none',
    'print genai_get_content_by_role(dynamic([{"role": "user", "content": "Hi"}]), "user") // "Hi"',
  ),
  genai_get_role: signature('messages: dynamic|string, index: int', 'string')(
    'the role of the message at an index, from 0; empty if there is none',
    'print genai_get_role(dynamic([{"role": "user", "content": "Hi"}]), 0) // "user"',
  ),
  genai_has_tool_calls: signature('messages: dynamic|string', 'bool')(
    'true if a message calls a tool or a function',
    'print genai_has_tool_calls(dynamic([{"role": "user", "content": "Hi"}])) // false',
  ),
  genai_is_truncated: signature('messages: dynamic|string, finish_reason: string|dynamic', 'bool')(
    'true if the finish reason, or one of an array of reasons, is that the length limit was reached',
    'print genai_is_truncated(dynamic([]), "length") // true',
  ),
  genai_message_roles: valueOfMessages(
    'the roles of all messages, as an array',
    'print genai_message_roles(dynamic([{"role": "user"}, {"role": "assistant"}])) // ["user","assistant"]',
  ),
} satisfies Record<string, Signature>
