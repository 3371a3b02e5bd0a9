import { preflightSurface } from '../../../shared/http/cors.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { answerPreflightContract } from './contract.ts';
import { answerPreflight } from './handler.ts';

export const handler = endpoint(answerPreflightContract, answerPreflight, preflightSurface);
