type Cache<K, V> = { get(key: K): V | undefined; set(key: K, value: V): unknown }

/** Returns the value of a key in a Map or WeakMap, made by `make` at the first call. */
export function cached<K, V>(cache: Cache<K, V>, key: K, make: () => V): V {
  const known = cache.get(key)
  if (known !== undefined) return known
  const value = make()
  cache.set(key, value)
  return value
}
