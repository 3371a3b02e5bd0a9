import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { answerPreflightContract } from './contract.ts';
import { answerPreflight } from './handler.ts';

export const handler = endpoint(answerPreflightContract, answerPreflight, callersOf('checkout/answer-preflight'));
