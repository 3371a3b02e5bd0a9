const template = (number: number, name: string, language: string, status: string, category: string, text: string) => ({
  id: String(200_000_000_000_000 + number),
  name,
  language,
  status,
  category,
  components: [{ type: 'BODY', text }],
});

/** As Meta approved or refused them; Meta reviews each language of a template separately. */
export const sampleTemplates = [
  template(1, 'order_shipped', 'en_US', 'APPROVED', 'UTILITY', 'Hi {{1}}, your order {{2}} is on its way.'),
  template(2, 'order_shipped', 'bn', 'APPROVED', 'UTILITY', '{{1}}, আপনার অর্ডার {{2}} পাঠানো হয়েছে।'),
  template(3, 'login_code', 'en_US', 'APPROVED', 'AUTHENTICATION', '{{1}} is your code.'),
  template(4, 'spring_sale', 'en_US', 'PENDING', 'MARKETING', 'Our spring sale begins on {{1}}.'),
  template(5, 'free_gift', 'en_US', 'REJECTED', 'MARKETING', 'You have won a gift.'),
  template(6, 'weekly_offers', 'en_US', 'PAUSED', 'MARKETING', 'This week: {{1}}.'),
  template(7, 'old_receipt', 'en_US', 'DISABLED', 'UTILITY', 'Thank you for {{1}}.'),
];
