interface SupportedGateway {
  /** Pays with no money: for test keys only. */
  readonly isSimulator: boolean;
  /** The required credentials of an account. */
  readonly credentials: readonly string[];
  /** Which of them names the shop. With another one, the gateway knows none of the payments before. */
  readonly shop: readonly string[];
  /** Money moves only when we have the payment confirmed there. Otherwise the payer pays on the gateway's own page. */
  readonly needsConfirmation: boolean;
  /** The accepted amounts by currency; undefined: all amounts and currencies. */
  readonly limits: Readonly<Record<string, { readonly fromMinor: number; readonly toMinor: number }>> | undefined;
}

const simulator = {
  isSimulator: true,
  credentials: [],
  shop: [],
  needsConfirmation: false,
  limits: undefined,
} as const;

/** Every gateway that a method can lead to. */
export const supportedGateways = {
  sim_card: simulator,
  sim_wallet: simulator,
  sim_bank: simulator,
  /** Amounts: developer.sslcommerz.com, "Create and get session", `total_amount`. */
  sslcommerz: {
    isSimulator: false,
    credentials: ['storeId', 'storePassword'],
    shop: ['storeId'],
    needsConfirmation: false,
    limits: { BDT: { fromMinor: 1_000, toMinor: 50_000_000 } },
  },
  /** The upper limit depends on the payer's wallet and is unknown. */
  bkash: {
    isSimulator: false,
    credentials: ['username', 'password', 'appKey', 'appSecret'],
    shop: ['username'],
    needsConfirmation: true,
    limits: { BDT: { fromMinor: 100, toMinor: Number.POSITIVE_INFINITY } },
  },
} as const satisfies Record<string, SupportedGateway>;

export type GatewayCode = keyof typeof supportedGateways;

export const isGatewayCode = (text: string): text is GatewayCode => Object.hasOwn(supportedGateways, text);

/** Whether a gateway accepts this amount. */
export const takesAmount = (code: GatewayCode, amountMinor: number, currency: string): boolean => {
  const { limits }: SupportedGateway = supportedGateways[code];
  if (limits === undefined) return true;
  const range = limits[currency];
  return range !== undefined && amountMinor >= range.fromMinor && amountMinor <= range.toMinor;
};
