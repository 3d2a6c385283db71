/**
 * React's build for developers notes with each element where it was made, for its warnings: a fifth of the time of a screen's
 * test. It gives that up by itself after ten thousand elements a second; here it does so from the first on.
 */
import * as react from 'react'

const MANY = 10_000
const internals: unknown = Reflect.get(
  react,
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
)
if (typeof internals === 'object' && internals !== null)
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
    get: () => MANY,
    // React counts, and begins again
    set() {},
    configurable: true,
  })
