/** Copies blocks of 16 bytes: the bytes written after the end are overwritten later. */
export function copy(to: usize, from: usize, length: usize): void {
  v128.store(to, v128.load(from))
  for (let done: usize = 16; done < length; done += 16) {
    v128.store(to + done, v128.load(from + done))
  }
}
