/** A planted defect: an expression of the shipped code, what it becomes, and the tests of `tests/sync/` that must fail. */
export const P = (name, file, from, to, ...tests) => ({ name, file: `sync/${file}`, from, to, tests })
