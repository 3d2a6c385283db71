/**
 * Returns a function that derives a password's key for a salt. Each salt is derived once, because deriving is
 * slow.
 */
import type { Cryptography } from './seal.ts'
import { isSameBytes } from './stored-keys.ts'
import { openerOf, type Salting } from './wrap.ts'

export function openersOf(
  cryptography: Cryptography,
  text: string,
): (salting: Salting) => Promise<CryptoKey> {
  const derived: { salting: Salting; key: Promise<CryptoKey> }[] = []
  return (salting) => {
    const known = derived.find(
      (each) => each.salting.rounds === salting.rounds && isSameBytes(each.salting.salt, salting.salt),
    )
    if (known) return known.key
    const key = openerOf(cryptography, text, salting)
    derived.push({ salting, key })
    return key
  }
}
