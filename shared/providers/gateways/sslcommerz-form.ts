import type { PaymentOrder } from '../../checkout/order.ts';
import { orderNumberOf } from '../../checkout/order-number.ts';
import { decimalOf } from './decimal-amount.ts';
import { shortText } from './short-text.ts';

/** Placeholders for fields that SSLCommerz requires and payers may omit: a neutral name, and addresses that reach no person. */
const unknownCustomer = { name: 'Customer', email: 'customer@example.com', phone: '00000000000' } as const;

/** Every field that `POST /gwprocess/v4/api.php` requires, and where to notify (developer.sslcommerz.com, "Create and get session"), within their lengths. */
export const sessionForm = (order: PaymentOrder): Record<string, string> => ({
  total_amount: decimalOf(order.amountMinor),
  currency: order.currency,
  tran_id: orderNumberOf(order.paymentId),
  success_url: order.returnUrl,
  fail_url: order.returnUrl,
  cancel_url: order.returnUrl,
  ipn_url: order.notificationUrl,
  product_name: shortText(order.description ?? '', 255) || 'Payment',
  product_category: 'payment',
  product_profile: 'general',
  num_of_item: '1',
  shipping_method: 'NO',
  cus_name: shortText(order.customer.name ?? '', 50) || unknownCustomer.name,
  cus_email: fitting(order.customer.email, 50) ?? unknownCustomer.email,
  cus_phone: fitting(order.customer.phone, 20) ?? unknownCustomer.phone,
  cus_add1: 'Dhaka',
  cus_city: 'Dhaka',
  cus_postcode: '1000',
  cus_country: 'Bangladesh',
});

/** A truncated address could be another person's. */
const fitting = (address: string | undefined, atMost: number): string | undefined =>
  address?.trim() && address.length <= atMost ? address : undefined;

export const refundRemarks = (reason: string | undefined): string => shortText(reason ?? '', 255) || 'Refund';
