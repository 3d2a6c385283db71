/** What one password makes of salts. Each is derived once: it takes its time. */
import type { Cryptography } from './seal.ts'
import { isSameBytes } from './stored-keys.ts'
import { openerOf, type Salting } from './wrap.ts'

export function openersOf(
  cryptography: Cryptography,
  text: string,
): (salting: Salting) => Promise<CryptoKey> {
  const derived: { salting: Salting; key: Promise<CryptoKey> }[] = []
  return (salting) => {
    const before = derived.find(
      (each) => each.salting.rounds === salting.rounds && isSameBytes(each.salting.salt, salting.salt),
    )
    if (before) return before.key
    const key = openerOf(cryptography, text, salting)
    derived.push({ salting, key })
    return key
  }
}
