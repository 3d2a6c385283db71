/** By which keys a device's past reports lie. Apart from their definitions: the screen that shows them does not parse them. */

export const pastReportKey = (deviceId: string, id: string) => `${deviceId}_${id}`

/** Those of a device, by the range of their keys. */
export const pastReportsOf = (deviceId: string) => ({
  deviceId,
  key: { $gte: `${deviceId}_`, $lt: `${deviceId}\`` },
})
